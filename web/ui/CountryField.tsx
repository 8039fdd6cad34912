import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { fold } from '#shared/countries/fold.ts'
import { useT } from '#web/lib/i18n.tsx'
import styles from './CountryField.module.css'
import { CountryOptions } from './CountryOptions.tsx'
import { classes } from './classes.ts'
import { Field } from './Field.tsx'

interface Props {
  label: ReactNode
  name: string
  countries: readonly { code: string; name: string }[]
  /** The first option: no country. */
  none: string
  defaultValue?: string | undefined
  hint?: ReactNode
  error?: ReactNode
}

/** A country from the long list of all. With scripts, a field above it narrows the list; a plain select without. */
export function CountryField({ label, name, countries, none, defaultValue = '', hint, error }: Props) {
  const t = useT('admin')
  const select = useRef<HTMLSelectElement>(null)
  // What was chosen when the list was narrowed: its option stays, so that the value does not change with the list.
  const [{ text, chosen }, setNarrowed] = useState({ text: '', chosen: defaultValue })
  const wanted = fold(text)
  const found = wanted === '' ? countries : countries.filter((country) => fold(country.name).includes(wanted))
  const listed = countries.filter((country) => found.includes(country) || country.code === chosen)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const list = select.current
    if (list && event.key === 'Enter' && found[0] && wanted !== '') list.value = found[0].code
    list?.focus()
  }
  return (
    <Field {...{ label, hint, error }}>
      {(control) => (
        <div className={styles.picker}>
          <input
            type="search"
            className={classes(control.className, 'needs-script')}
            placeholder={t('table_search')}
            aria-label={t('narrow_list')}
            autoComplete="off"
            maxLength={60}
            onInput={({ currentTarget }) =>
              setNarrowed({ text: currentTarget.value, chosen: select.current?.value ?? defaultValue })
            }
            onKeyDown={onKeyDown}
          />
          <select {...control} ref={select} name={name} defaultValue={defaultValue}>
            <option value="">{none}</option>
            <CountryOptions countries={listed} />
          </select>
        </div>
      )}
    </Field>
  )
}
