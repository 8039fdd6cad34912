import { useId, useRef } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import styles from './EntryFields.module.css'
import { type EntryValues, linesOf } from './entry-values.ts'
import { ListField } from './LongField.tsx'

interface Props {
  values: EntryValues
  fields: Record<string, string>
  countries: readonly string[]
}

/** One country per line; with scripts, countries can be searched and added from the full list. */
export function CountriesField({ values, fields, countries }: Props) {
  const t = useT('manage')
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)

  function add() {
    const found = box.current?.querySelector('input')
    const textarea = box.current?.querySelector('textarea')
    if (!found || !textarea) return
    const name = found.value.trim()
    if (name && !linesOf(textarea.value).includes(name)) {
      textarea.value = [...linesOf(textarea.value), name].join('\n')
      textarea.dispatchEvent(new Event('input', { bubbles: true }))
    }
    found.value = ''
    found.focus()
  }

  return (
    <div ref={box}>
      <ListField
        name="countries"
        label={t('countries')}
        hint={t('countries_hint')}
        rows={3}
        values={values}
        fields={fields}
      />
      <div className={`${styles.add} needs-script`}>
        <TextField
          label={t('country_find')}
          list={listId}
          autoComplete="off"
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button onClick={add}>{t('country_add')}</Button>
        <datalist id={listId}>
          {countries.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
    </div>
  )
}
