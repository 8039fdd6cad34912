import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Form, useNavigate } from 'react-router'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { searchParamsOf } from '#web/lib/form-params.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './FilterForm.module.css'
import { ADVISORIES_PATH, activeFilters, addressOf, type Filters, readFilters } from './filters.ts'
import type { RefreshState } from './useRefresh.ts'

/** Debounce of the search field, in milliseconds. */
const TYPING_PAUSE_MS = 300

interface Props {
  filters: Filters
  /** The user has their own countries and may filter by them (ADV-PAGE-12). */
  hasOwnCountries: boolean
  refreshing: RefreshState
}

/** A plain GET form; with scripts the list follows while the user types. */
export function FilterForm({ filters, hasOwnCountries, refreshing }: Props) {
  const t = useT('advisories')
  const form = useRef<HTMLFormElement>(null)
  const { applySoon, applyNow } = useInstantFilters(form, filters)
  return (
    <search aria-label={t('filters_label')}>
      <Form ref={form} action={ADVISORIES_PATH} className={styles.form} preventScrollReset onSubmit={applyNow}>
        <SearchField filters={filters} onInput={applySoon} onClear={applyNow} />
        {filters.country && <input type="hidden" name="country" value={filters.country} />}
        {filters.source && <input type="hidden" name="source" value={filters.source} />}
        <Panel isActive={activeFilters(filters).length > 0}>
          <LevelField filters={filters} onChange={applyNow} />
          {hasOwnCountries && <MineField isChosen={filters.mine} onChange={applyNow} />}
          <Button
            className="needs-script"
            icon="refresh"
            isBusy={refreshing.isBusy}
            busyLabel={t('refreshing')}
            onClick={refreshing.refresh}
          >
            {t('refresh')}
          </Button>
          <Button type="submit" look="primary" className={styles.submit}>
            {t('search_button')}
          </Button>
        </Panel>
      </Form>
    </search>
  )
}

/** Writes the form values to the URL: at once, or after the typing pause. */
function useInstantFilters(form: React.RefObject<HTMLFormElement | null>, filters: Filters) {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastSearch = useRef(filters.search)

  function apply() {
    clearTimeout(timer.current)
    if (!form.current) return
    const wanted = readFilters(searchParamsOf(form.current)).filters
    lastSearch.current = wanted.search
    navigate(addressOf(wanted), { replace: true, preventScrollReset: true })
  }

  // The URL may change elsewhere: by a chip, a tile, or going back. Not while the user is typing.
  const follow = useEffectEvent((search: string) => {
    const input = form.current?.elements.namedItem('search') as HTMLInputElement | null
    if (!input || lastSearch.current === search) return
    lastSearch.current = search
    input.value = search
  })
  useEffect(() => follow(filters.search), [filters.search])
  useEffect(() => () => clearTimeout(timer.current), [])

  return {
    applySoon() {
      clearTimeout(timer.current)
      timer.current = setTimeout(apply, TYPING_PAUSE_MS)
    },
    applyNow(event?: SyntheticEvent) {
      event?.preventDefault()
      apply()
    },
  }
}

function SearchField({ filters, onInput, onClear }: { filters: Filters; onInput: () => void; onClear: () => void }) {
  const t = useT('advisories')
  const input = useRef<HTMLInputElement>(null)
  function clear() {
    if (!input.current) return
    input.current.value = ''
    input.current.focus()
    onClear()
  }
  return (
    <Field label={t('search')} className={styles.searchField}>
      {(control) => (
        <div className={styles.search}>
          <Icon name="search" className={styles.sign} />
          <input
            {...control}
            ref={input}
            className={classes(control.className, styles.input)}
            type="search"
            name="search"
            defaultValue={filters.search}
            placeholder={t('search_placeholder')}
            maxLength={200}
            enterKeyHint="search"
            autoComplete="off"
            onInput={onInput}
          />
          <button
            type="button"
            className={classes(styles.clear, 'needs-script')}
            aria-label={t('search_clear')}
            onClick={clear}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </Field>
  )
}

function LevelField({ filters, onChange }: { filters: Filters; onChange: () => void }) {
  const t = useT('advisories')
  const chosen = filters.severities.join()
  return (
    <Field label={t('level')} className={styles.level}>
      {(control) => (
        // Remounted when a chip or tile has changed it: the browser keeps a manual selection.
        <select {...control} key={chosen} name="severity_level" defaultValue={chosen} onChange={onChange}>
          <option value="">{t('level_all')}</option>
          {SEVERITIES.map((severity) => (
            <option key={severity} value={severity}>
              {t(`level_${severity}`)}
            </option>
          ))}
          {filters.severities.length > 1 && (
            <option value={chosen}>{filters.severities.map((severity) => t(`level_${severity}`)).join(' + ')}</option>
          )}
        </select>
      )}
    </Field>
  )
}

function MineField({ isChosen, onChange }: { isChosen: boolean; onChange: () => void }) {
  const t = useT('advisories')
  return (
    <label className={styles.mine}>
      <input
        // Remounted when a chip has changed it.
        key={String(isChosen)}
        type="checkbox"
        name="mine"
        value="1"
        defaultChecked={isChosen}
        // Do not pass the event: a prevented click leaves the box unchecked.
        onChange={() => onChange()}
      />
      {t('mine')}
    </label>
  )
}

/** On a phone the filters are collapsible; open without scripts, since nothing else would reveal them. */
function Panel({ isActive, children }: { isActive: boolean; children: React.ReactNode }) {
  const t = useT('advisories')
  const [isOpen, setOpen] = useState(true)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (matchMedia('(max-width: 600px)').matches) setOpen(false)
    setReady(true)
  }, [])
  return (
    <details
      className={styles.panel}
      open={isOpen}
      data-settled={isReady || undefined}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.toggle}>
        <Icon name="filter" />
        <span className={styles.show}>{t('filters')}</span>
        <span className={styles.hide}>{t('filters_hide')}</span>
        {isActive && (
          <span className={styles.dot}>
            <span className="visually-hidden">{t('filters_active')}</span>
          </span>
        )}
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  )
}
