import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** In words what to do, below the field. */
  error?: ReactNode
  /** The label is for readers only: the page says it in another way right beside. */
  isLabelHidden?: boolean
  className?: string
}

export interface ControlProps {
  id: string
  className: string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, hint below, error in words. The control is given what ties it to them. */
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

/** Several lines; it grows with what is written. `--area` of the class is how high it begins. */
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
