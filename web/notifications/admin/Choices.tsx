import type { ReactNode } from 'react'
import { CheckField } from '#web/ui/CheckField.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Announcements.module.css'

interface Props {
  name: string
  legend: ReactNode
  options: readonly { value: string; label: ReactNode }[]
  chosen: readonly string[]
  error?: string | undefined
  hint?: ReactNode
  /** A long list: collapsed until an option is selected. */
  isLong?: boolean
}

/** A group of checkboxes. */
export function Choices({ name, legend, options, chosen, error, hint, isLong }: Props) {
  const boxes = (
    <div className={classes(styles.grid, isLong && styles.scroll)}>
      {options.map(({ value, label }) => (
        <CheckField
          key={value}
          label={<bdi>{label}</bdi>}
          name={name}
          value={value}
          defaultChecked={chosen.includes(value)}
        />
      ))}
    </div>
  )
  return (
    <fieldset className={styles.choices}>
      {isLong ? (
        <>
          <legend className="visually-hidden">{legend}</legend>
          <details open={chosen.length > 0 || error !== undefined}>
            <summary>{legend}</summary>
            {boxes}
          </details>
        </>
      ) : (
        <>
          <legend>{legend}</legend>
          {boxes}
        </>
      )}
      {hint && <p className={styles.hint}>{hint}</p>}
      {error && (
        <p className={styles.error} tabIndex={-1} aria-invalid>
          {error}
        </p>
      )}
    </fieldset>
  )
}
