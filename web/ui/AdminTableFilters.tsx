import { type SyntheticEvent, useEffect, useEffectEvent, useRef } from 'react'
import { Form, Link, useNavigate, useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import styles from './AdminTableFilters.module.css'
import { Button } from './Button.tsx'
import { RemovableChip } from './Chip.tsx'
import { Field } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { addressWith } from './table-address.ts'

/** Debounce of the search field, in milliseconds. */
const TYPING_PAUSE_MS = 300

export interface Choice {
  /** Name of the URL parameter. */
  name: string
  label: string
  options: readonly { value: string; label: string }[]
}

/** A date range. */
export interface Span {
  since: string
  until: string
  /** What is wrong with the range, shown below its end. */
  error?: string | undefined
}

interface Props {
  /** What is searched: 'Name, email or hub id'. */
  searchLabel: string
  choices?: readonly Choice[]
  /** Labels of two date fields named `since` and `until`. */
  span?: Span
  /** The list's tab if the URL does not name one: filters stay within it. */
  tab?: string
}

/** Search and filters of a list: a plain GET form; with scripts the list follows, and the focus stays. */
export function AdminTableFilters({ searchLabel, choices = [], span, tab = '' }: Props) {
  const t = useT('admin')
  const [params] = useSearchParams()
  const form = useRef<HTMLFormElement>(null)
  const { applySoon, applyNow } = useInstantFilters(form)
  const hiddenValues = { sort: params.get('sort'), per_page: params.get('per_page'), tab: params.get('tab') ?? tab }
  return (
    <div className={styles.filters}>
      <search aria-label={t('table_filters')}>
        <Form ref={form} className={styles.form} preventScrollReset onSubmit={applyNow}>
          <Field label={searchLabel} className={styles.search}>
            {(control) => (
              <input
                {...control}
                type="search"
                name="search"
                defaultValue={params.get('search') ?? ''}
                maxLength={200}
                autoComplete="off"
                enterKeyHint="search"
                onInput={applySoon}
              />
            )}
          </Field>
          {choices.map((choice) => (
            <ChoiceField key={choice.name} choice={choice} value={params.get(choice.name) ?? ''} onChange={applyNow} />
          ))}
          {span &&
            (['since', 'until'] as const).map((name) => (
              <DayField
                key={name}
                name={name}
                label={span[name]}
                value={params.get(name) ?? ''}
                error={name === 'until' ? span.error : undefined}
                onChange={applyNow}
              />
            ))}
          {Object.entries(hiddenValues).map(
            ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <Button type="submit" icon="search" className={styles.submit}>
            {t('table_search')}
          </Button>
        </Form>
      </search>
      <Active choices={choices} span={span} />
    </div>
  )
}

function ChoiceField({ choice, value, onChange }: { choice: Choice; value: string; onChange: () => void }) {
  const t = useT('admin')
  return (
    <Field label={choice.label}>
      {(control) => (
        // Remounted when a chip has changed it: the browser keeps a manual selection.
        <select {...control} key={value} name={choice.name} defaultValue={value} onChange={onChange}>
          <option value="">{t('table_any')}</option>
          {choice.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface DayFieldProps {
  name: string
  label: string
  value: string
  error: string | undefined
  onChange: () => void
}

function DayField({ name, label, value, error, onChange }: DayFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => <input {...control} key={value} type="date" name={name} defaultValue={value} onChange={onChange} />}
    </Field>
  )
}

/** Active filters, each removable, and a link that clears all. */
function Active({ choices, span }: { choices: readonly Choice[]; span: Span | undefined }) {
  const t = useT('admin')
  const [params] = useSearchParams()
  const days = span ? (['since', 'until'] as const).map((name) => ({ name, label: span[name] })) : []
  const active = [...choices, ...days].flatMap((filter) => {
    const value = params.get(filter.name)
    if (!value) return []
    const options = 'options' in filter ? filter.options : []
    const text = options.find((option) => option.value === value)?.label ?? value
    return [{ name: filter.name, label: filter.label, text }]
  })
  if (active.length === 0) return null
  const none = Object.fromEntries(['search', ...active.map(({ name }) => name)].map((name) => [name, null]))
  return (
    <div className={styles.active}>
      {active.map(({ name, label, text }) => (
        <RemovableChip key={name} to={addressWith(params, { [name]: null })} label={t('table_remove', { label, text })}>
          <span>
            {label}: <bdi>{text}</bdi>
          </span>
        </RemovableChip>
      ))}
      <Link to={addressWith(params, none)} preventScrollReset className={styles.clear}>
        <Icon name="close" /> {t('table_clear_all')}
      </Link>
    </div>
  )
}

/** Writes the form values to the URL: at once, or after the typing pause. */
function useInstantFilters(form: React.RefObject<HTMLFormElement | null>) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = params.get('search') ?? ''
  const lastSearch = useRef(search)

  function apply() {
    clearTimeout(timer.current)
    if (!form.current) return
    const values = Object.fromEntries(new FormData(form.current)) as Record<string, string>
    lastSearch.current = values.search?.trim() ?? ''
    void navigate(addressWith(params, { ...values, search: lastSearch.current }), {
      replace: true,
      preventScrollReset: true,
    })
  }

  // The URL may change elsewhere: by a chip, or going back. Not while the user is typing.
  const follow = useEffectEvent((now: string) => {
    const input = form.current?.elements.namedItem('search') as HTMLInputElement | null
    if (!input || lastSearch.current === now) return
    lastSearch.current = now
    input.value = now
  })
  useEffect(() => follow(search), [search])
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
