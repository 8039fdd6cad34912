import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './Form.module.css'

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'id'> {
  label: ReactNode
  /** What to do about it, below the label. */
  error?: ReactNode
}

/** A checkbox with its label beside it. */
export function CheckField({ label, error, ...input }: Props) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-invalid={error ? true : undefined}
      />
      <label htmlFor={id}>{label}</label>
      {error && (
        <div id={`${id}-error`} className={styles.checkError}>
          {error}
        </div>
      )}
    </div>
  )
}
