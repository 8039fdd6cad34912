import { type ComponentProps, type ReactNode, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Field } from '#web/ui/Field.tsx'
import styles from './PasswordField.module.css'

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'id'> {
  label: string
  hint?: ReactNode
  error?: ReactNode
  /** A link at the end of the label row. */
  help?: ReactNode
}

/** A password field with a show button. The value is never sent back with the page. */
export function PasswordField({ label, hint, error, help, ...input }: Props) {
  const t = useT('accounts')
  const [isShown, setShown] = useState(false)
  return (
    <div className={styles.password}>
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          // Passwords are left to right, and the button follows that direction.
          <div className={styles.line} dir="ltr">
            <input
              required
              maxLength={1000}
              autoCapitalize="none"
              spellCheck={false}
              {...input}
              {...control}
              type={isShown ? 'text' : 'password'}
            />
            <button
              type="button"
              className={`needs-script ${styles.show}`}
              aria-pressed={isShown}
              aria-label={t('show_password')}
              onClick={() => setShown(!isShown)}
            >
              {t(isShown ? 'hide' : 'show')}
            </button>
          </div>
        )}
      </Field>
      {help && <div className={styles.help}>{help}</div>}
    </div>
  )
}
