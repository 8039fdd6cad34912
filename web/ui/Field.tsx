import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** What to do about it, below the field. */
  error?: ReactNode
  /** The label is visually hidden: visible text beside it says the same. */
  isLabelHidden?: boolean
  className?: string
}

export interface ControlProps {
  id: string
  className: string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, hint and error below. Passes the ids that associate them to the control. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({
        id,
        className: styles.control,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {error && (
        <div id={`${id}-error`} className={styles.error}>
          {error}
        </div>
      )}
    </div>
  )
}

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden, className }}>
      {(control) => <input type="text" {...input} {...control} />}
    </Field>
  )
}

/** Multi-line field that grows with its content. `--area` of the class is its initial height. */
export function TextAreaField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden, className }}>
      {(control) => <textarea dir="auto" {...rest} {...control} className={classes(control.className, styles.area)} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...select
}: FieldProps & ComponentProps<'select'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden, className }}>
      {(control) => <select {...select} {...control} />}
    </Field>
  )
}
