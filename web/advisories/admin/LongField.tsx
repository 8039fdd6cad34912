import type { ComponentProps, ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { classes } from '#web/ui/classes.ts'
import { Field } from '#web/ui/Field.tsx'
import styles from './EntryFields.module.css'
import { type EntryField, type EntryValues, wrongLines } from './entry-values.ts'

interface Props extends ComponentProps<'textarea'> {
  label: string
  hint?: ReactNode
  error?: ReactNode
}

export function LongField({ label, hint, error, ...rest }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ className, ...control }) => (
        <textarea dir="auto" {...rest} {...control} className={classes(className, styles.area)} />
      )}
    </Field>
  )
}

interface ListProps {
  name: EntryField
  label: string
  hint: string
  rows: number
  values: EntryValues
  fields: Record<string, string>
  id?: string
}

/** An ordered list, one entry per line. Errors are shown per line. */
export function ListField({ name, label, hint, rows, values, fields }: ListProps) {
  const t = useT('forms')
  const wrong = wrongLines(name, values, fields)
  const whole = fields[name]
  return (
    <LongField
      label={label}
      hint={hint}
      rows={rows}
      name={name}
      defaultValue={values[name]}
      error={
        wrong.length > 0 ? (
          <ul className={styles.wrong}>
            {wrong.map(({ line, message }) => (
              <li key={line}>
                <bdi>{line}</bdi>: {translateMessage(t, message)}
              </li>
            ))}
          </ul>
        ) : (
          whole && translateMessage(t, whole)
        )
      }
    />
  )
}
