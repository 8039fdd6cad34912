import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { useHydrated } from '#web/lib/useHydrated.ts'
import { CheckField } from '#web/ui/CheckField.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { exactMatch, matches, type Option } from './matches.ts'
import styles from './PlacesField.module.css'
import { listOf, searchOf } from './places.ts'
import { useCounted } from './useCounted.ts'

interface FieldProps {
  label: string
  hint: string
  name: string
  /** Selected values, unless the submitted form has others. */
  chosen: readonly string[]
  /** Submitted form values, separated by commas. */
  values: Record<string, string> | undefined
  error: string | undefined
}

interface Props extends Omit<FieldProps, 'values'> {
  options: readonly Option[]
  /** Text entered but not selected. */
  search: string
}

/** Maximum number of options shown; further typing narrows them down. */
const MAX_OFFERED = 60

/** Places as removable chips, with a searchable list to add more; without scripts checkboxes and a plain list. */
export function PlacesField({ values, ...field }: FieldProps & { options: readonly Option[] }) {
  const isHydrated = useHydrated()
  const chosen = values ? listOf(values[field.name]) : field.chosen
  const props = { ...field, chosen, search: values?.[searchOf(field.name)] ?? '' }
  // Remounted when the selection changes elsewhere.
  return isHydrated ? <Picker key={chosen.join()} {...props} /> : <PlainPlaces {...props} />
}

export function CountriesField({
  countries,
  ...field
}: FieldProps & { countries: readonly { code: string; name: string }[] }) {
  return <PlacesField {...field} options={countries.map(({ code, name }) => ({ value: code, label: name }))} />
}

function PlainPlaces({ label, hint, name, options, chosen, error }: Props) {
  return (
    <div className={styles.places}>
      <div className={styles.chips}>
        {namedOf(options, chosen).map(({ value, label }) => (
          <CheckField key={value} name={name} value={value} label={<bdi>{label}</bdi>} defaultChecked />
        ))}
      </div>
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <select {...control} name={name} multiple size={6} className={classes(control.className, styles.several)}>
            {options
              .filter(({ value }) => !chosen.includes(value))
              .map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </select>
        )}
      </Field>
    </div>
  )
}

function Picker({ label, hint, name, options, error, ...initial }: Props) {
  const t = useT('users')
  const counted = useCounted()
  const [chosen, setChosen] = useState(initial.chosen)
  const places = useRef<HTMLDivElement>(null)
  const sent = useSentValues(chosen)
  const listId = useId()
  const add = (option: Option) => setChosen((now) => (now.includes(option.value) ? now : [...now, option.value]))
  const combobox = useCombobox(
    options.filter(({ value }) => !chosen.includes(value)),
    initial.search,
    listId,
    add,
  )
  const remove = (removed: string) => {
    setChosen((now) => now.filter((value) => value !== removed))
    // The button disappears, and must not take the focus with it.
    places.current?.querySelector<HTMLInputElement>('[role="combobox"]')?.focus()
  }
  return (
    <div className={styles.places} ref={places}>
      <select ref={sent} name={name} multiple hidden value={[...chosen]} onChange={() => {}}>
        {chosen.map((value) => (
          <option key={value} value={value} />
        ))}
      </select>
      <Field label={label} hint={hint} error={error}>
        {({ className, ...control }) => (
          <div className={classes(className, styles.box)} data-invalid={error ? '' : undefined}>
            <Chips label={label} places={namedOf(options, chosen)} onRemove={remove} />
            <div className={styles.search}>
              <input
                {...control}
                {...combobox.input}
                name={searchOf(name)}
                type="text"
                // An empty field has the direction of the page, or its placeholder would be at the wrong end.
                dir={combobox.input.value === '' ? undefined : 'auto'}
                maxLength={100}
                autoComplete="off"
                placeholder={t('add_place')}
              />
              <Offers label={label} listId={listId} combobox={combobox} />
            </div>
            <span className="visually-hidden" role="status">
              {combobox.isOpen && t('places_found', counted(combobox.total))}
            </span>
          </div>
        )}
      </Field>
    </div>
  )
}

/** The chosen places, each with a button that removes it. */
function Chips({ label, places, onRemove }: ChipsProps) {
  const t = useT('users')
  if (places.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={t('chosen_places', { what: label })}>
      {places.map(({ value, label }) => (
        <li key={value}>
          <button
            type="button"
            className={styles.chip}
            aria-label={t('remove_place', { name: label })}
            onClick={() => onRemove(value)}
          >
            <bdi>{label}</bdi>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface ChipsProps {
  label: string
  places: readonly Option[]
  onRemove: (value: string) => void
}

interface OffersProps {
  label: string
  listId: string
  combobox: ReturnType<typeof useCombobox>
}

/** The list of a combobox. */
function Offers({ label, listId, combobox }: OffersProps) {
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={label}
      className={styles.list}
      hidden={!combobox.isOpen || combobox.offered.length === 0}
    >
      {combobox.isOpen &&
        combobox.offered.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
          <div
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === combobox.active}
            // Runs before the field loses the focus, and with it the list.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => combobox.choose(option)}
          >
            <bdi>{option.label}</bdi>
          </div>
        ))}
    </div>
  )
}

const namedOf = (options: readonly Option[], values: readonly string[]): Option[] =>
  values.map((value) => options.find((option) => option.value === value) ?? { value, label: value })

/** The submitted list; a change of it marks the form as unsaved. */
function useSentValues(chosen: readonly string[]) {
  const select = useRef<HTMLSelectElement>(null)
  const first = useRef(chosen)
  useEffect(() => {
    if (first.current !== chosen) select.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [chosen])
  return select
}

/** State and keys of the list of places (WAI-ARIA combobox with a listbox). */
function useCombobox(options: readonly Option[], search: string, listId: string, add: (option: Option) => void) {
  const [text, setText] = useState(search)
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const found = matches(options, text)
  const offered = found.slice(0, MAX_OFFERED)
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const choose = (option: Option) => {
    add(option)
    setText('')
    close()
  }
  const move = (to: number) => {
    setOpen(true)
    setActive(to)
    document.getElementById(`${listId}-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && isOpen) close()
    else if (event.key === 'ArrowDown') move(active + 1 < offered.length ? active + 1 : -1)
    else if (event.key === 'ArrowUp') move(active < 0 ? offered.length - 1 : active - 1)
    else if (event.key === 'Enter' && text.trim() !== '') {
      const option = offered[active] ?? exactMatch(options, text) ?? (found.length === 1 ? found[0] : undefined)
      if (option) choose(option)
    } else if (event.key === 'Enter' && isOpen && offered[active]) choose(offered[active])
    else return
    event.preventDefault()
  }
  const input = {
    value: text,
    onKeyDown,
    onClick: () => setOpen(true),
    onBlur: () => {
      const option = text.trim() === '' ? undefined : exactMatch(options, text)
      if (option) choose(option)
      else close()
    },
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      setText(event.currentTarget.value)
      setActive(-1)
      setOpen(true)
    },
    role: 'combobox',
    'aria-expanded': isOpen && offered.length > 0,
    'aria-controls': listId,
    'aria-autocomplete': 'list' as const,
    'aria-activedescendant': isOpen && active >= 0 ? `${listId}-${active}` : undefined,
  }
  return { input, isOpen, offered, total: found.length, active, choose }
}
