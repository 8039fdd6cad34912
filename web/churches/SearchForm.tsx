import { type SyntheticEvent, useRef } from 'react'
import { Form, Link, useNavigate } from 'react-router'
import { present } from '#shared/assert.ts'
import { RADII_KM } from '#shared/churches/radius.ts'
import { searchParamsOf } from '#web/lib/form-params.ts'
import { namesInLine } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { RemovableChip } from '#web/ui/Chip.tsx'
import { Field, SelectField, TextField } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Locator } from './locator.server.ts'
import styles from './SearchForm.module.css'
import { addressOf, LOCATOR_PATH, readSearch, type Search } from './search.ts'
import { useMyLocation } from './useMyLocation.ts'

/** A plain GET form. With scripts, choosing a country loads its states at once, and the URL stays short. */
export function SearchForm({ data }: { data: Locator }) {
  const t = useT('churches')
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const { search } = data
  const readForm = () => {
    const newSearch = readSearch(searchParamsOf(present(form.current, 'the form')))
    // The point belongs to the place name beside it, or without a name is the user's location.
    return { ...newSearch, point: newSearch.near === search.near ? search.point : null }
  }
  const go = (changes: Partial<Search> = {}) =>
    void navigate(addressOf(readForm(), changes), { preventScrollReset: true })
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
        <div className={styles.fields}>
          <TextSearch value={search.search} />
          <CountryField data={data} onChange={() => go({ state_province: '' })} />
          {data.states.length > 0 && <StateField data={data} />}
          <PlaceFields search={search} />
        </div>
        <HiddenFilters data={data} />
        <div className={styles.actions}>
          <Button type="submit" look="primary">
            {t('find')}
          </Button>
          <Button
            className="needs-script"
            icon="target"
            isBusy={location.isBusy}
            busyLabel={t('locating')}
            onClick={location.ask}
          >
            {t('use_location')}
          </Button>
          <label className={styles.online}>
            <input type="checkbox" name="online" value="true" defaultChecked={search.online} />
            {t('filter_online')}
          </label>
          <Link to={LOCATOR_PATH} className={styles.clear}>
            {t('clear')}
          </Link>
        </div>
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

function PlaceFields({ search }: { search: Search }) {
  const t = useT('churches')
  return (
    <>
      <TextField
        label={t('near')}
        name="near"
        defaultValue={search.near}
        maxLength={200}
        autoComplete="off"
        placeholder={search.point && !search.near ? t('near_me') : undefined}
      />
      <SelectField label={t('within')} name="radius" defaultValue={search.radius}>
        {RADII_KM.map((km) => (
          <option key={km} value={km}>
            {t('km', { km })}
          </option>
        ))}
      </SelectField>
    </>
  )
}

/** Filters that are set by links, kept when the form is sent. */
function HiddenFilters({ data: { search, states } }: { data: Locator }) {
  return (
    <>
      {search.countries.length > 0 && <input type="hidden" name="countries" value={search.countries.join()} />}
      {search.city && <input type="hidden" name="city" value={search.city} />}
      {search.language && <input type="hidden" name="language" value={search.language} />}
      {!states.length && search.state_province && (
        <input type="hidden" name="state_province" value={search.state_province} />
      )}
    </>
  )
}

function TextSearch({ value }: { value: string }) {
  const t = useT('churches')
  return (
    <Field label={t('search')} className={styles.text}>
      {(control) => (
        <div className={styles.search}>
          <Icon name="search" className={styles.sign} />
          <input
            {...control}
            className={`${control.className} ${styles.input}`}
            type="search"
            name="search"
            defaultValue={value}
            maxLength={200}
            enterKeyHint="search"
            autoComplete="off"
          />
        </div>
      )}
    </Field>
  )
}

function CountryField({ data: { search, countries, countryName }, onChange }: { data: Locator; onChange: () => void }) {
  const t = useT('churches')
  const isListed = !search.country || countries.some(({ code }) => code === search.country)
  return (
    <SelectField label={t('country')} name="country" defaultValue={search.country} onChange={onChange}>
      <option value="">{t('country_all')}</option>
      {!isListed && <option value={search.country}>{countryName}</option>}
      {countries.map(({ code, name, count }) => (
        <option key={code} value={code}>
          {t('country_option', { name, number: count })}
        </option>
      ))}
    </SelectField>
  )
}

function StateField({ data: { search, states } }: { data: Locator }) {
  const t = useT('churches')
  const isListed = !search.state_province || states.includes(search.state_province)
  return (
    <SelectField label={t('state')} name="state_province" defaultValue={search.state_province}>
      <option value="">{t('state_any')}</option>
      {!isListed && <option value={search.state_province}>{search.state_province}</option>}
      {states.map((state) => (
        <option key={state} value={state}>
          {state}
        </option>
      ))}
    </SelectField>
  )
}

/** So many countries are named; the rest is counted. */
const NAMED_COUNTRIES = 5

/** Active filters that have no field of their own. */
function Chips({ data: { search, states, countryNames, languageName } }: { data: Locator }) {
  const t = useT('churches')
  const language = useLanguage()
  const rest = countryNames.length - NAMED_COUNTRIES
  const names = namesInLine(language, [...countryNames.slice(0, NAMED_COUNTRIES), rest > 0 ? `+${rest}` : null])
  const chips = [
    search.point && !search.near && { text: t('near_me'), without: { point: null } },
    names && { text: t('filter_countries', { names }), without: { countries: [] } },
    search.city && { text: t('filter_city', { name: search.city }), without: { city: '' } },
    search.state_province &&
      states.length === 0 && {
        text: t('filter_state', { name: search.state_province }),
        without: { state_province: '' },
      },
    search.language && { text: t('filter_language', { name: languageName }), without: { language: '' } },
  ].filter((chip) => typeof chip === 'object' && chip !== null)
  if (chips.length === 0) return null
  return (
    <div className={styles.chips}>
      {chips.map(({ text, without }) => (
        <RemovableChip key={text} to={addressOf(search, without)} label={t('filter_remove', { name: text })}>
          <bdi>{text}</bdi>
        </RemovableChip>
      ))}
    </div>
  )
}
