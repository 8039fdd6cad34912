import { type SyntheticEvent, useRef } from 'react'
import { Form, useNavigate } from 'react-router'
import { present } from '#shared/assert.ts'
import { searchParamsOf } from '#web/lib/form-params.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Chips, Filters } from './Filters.tsx'
import type { Locator } from './locator.server.ts'
import styles from './SearchForm.module.css'
import { addressOf, LOCATOR_PATH, OWN_LOCATION, readSearch, type Search } from './search.ts'
import { useMyLocation } from './useMyLocation.ts'

/** One field for a city, an address or a church. A plain GET form; with scripts its URL stays short. */
export function SearchForm({ data }: { data: Locator }) {
  const t = useT('churches')
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const { search } = data
  const go = (changes: Partial<Search> = {}) => {
    const newSearch = readSearch(searchParamsOf(present(form.current, 'the form')))
    void navigate(addressOf(newSearch, changes), { preventScrollReset: true })
  }
  const location = useMyLocation((point) => go({ point, near: '' }))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    go()
  }
  return (
    <search aria-label={t('search_label')}>
      <Form
        // Remounted when a link has changed the search: inputs keep their typed values otherwise.
        key={addressOf(search)}
        ref={form}
        action={LOCATOR_PATH}
        className={styles.form}
        onSubmit={submit}
      >
        <label htmlFor="near" className={styles.label}>
          {t('near')}
        </label>
        <div className={styles.bar}>
          <div className={styles.box}>
            <Icon name="search" className={styles.sign} />
            <PlaceInput search={search} />
            <button
              type="button"
              className={classes(styles.locate, 'needs-script')}
              aria-disabled={location.isBusy || undefined}
              onClick={location.isBusy ? undefined : location.ask}
            >
              <Icon name={location.isBusy ? 'refresh' : 'target'} />
              <span>{t(location.isBusy ? 'locating' : 'use_location')}</span>
            </button>
          </div>
          <Button type="submit" look="primary" icon="search" className={classes(styles.submit)}>
            <span>{t('find')}</span>
          </Button>
          <Filters data={data} onCountry={() => go({ state_province: '' })} />
        </div>
        <Origin search={search} />
        <Chips data={data} />
      </Form>
      <div className={styles.message} role="status">
        {location.error && (
          <Note kind="unknown" title={t(`location_${location.error}`)}>
            <p>{t(`location_${location.error}_text`)}</p>
          </Note>
        )}
      </div>
    </search>
  )
}

function PlaceInput({ search: { near, search, point } }: { search: Search }) {
  const t = useT('churches')
  return (
    <input
      id="near"
      type="search"
      name="near"
      defaultValue={near || (point ? '' : search)}
      placeholder={point && !near ? t('near_me') : t('near')}
      maxLength={200}
      enterKeyHint="search"
      autoComplete="off"
    />
  )
}

/** The point of the place that was searched near: it holds as long as the field stays as it is. */
function Origin({ search: { point, near, search } }: { search: Search }) {
  const isInField = !near && !point
  return (
    <>
      {point && (
        <>
          <input type="hidden" name="lat" value={point.lat} />
          <input type="hidden" name="lon" value={point.lng} />
          <input type="hidden" name="at" value={near || OWN_LOCATION} />
        </>
      )}
      {search && !isInField && <input type="hidden" name="search" value={search} />}
    </>
  )
}
