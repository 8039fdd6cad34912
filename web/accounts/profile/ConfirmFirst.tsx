import { FRESH_MINUTES, type Freshness, NEW_METHOD_HOURS } from '#shared/accounts/profile.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { SignOutButton } from '../SignOutButton.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import styles from './Profile.module.css'

interface Props {
  action: string
  text: string
  confirm_by: Freshness['confirm_by']
  error: FormError | undefined
}

/** Re-authentication, before actions that an unattended screen must not allow. */
export function ConfirmFirst({ action, text, confirm_by, error }: Props) {
  const t = useT('profile')
  const problem = useProblems(error)
  if (confirm_by !== 'password') return <SignInAgain confirm_by={confirm_by} returnTo={action} />
  return (
    <Form action={action} error={error}>
      <p>{text}</p>
      <input type="hidden" name="intent" value="confirm" />
      <div className={styles.fields}>
        <CurrentPassword error={problem('current_password')} />
      </div>
      <div className={styles.buttons}>
        <Submit look="secondary">{t('confirm_button')}</Submit>
      </div>
    </Form>
  )
}

interface AgainProps {
  confirm_by: Exclude<Freshness['confirm_by'], 'password'>
  returnTo: string
}

/** If no password can confirm: links to sign-in, and back. */
export function SignInAgain({ confirm_by, returnTo }: AgainProps) {
  const t = useT('profile')
  const isNew = confirm_by === 'older_method'
  return (
    <>
      <p>{isNew ? t('older_method', { n: NEW_METHOD_HOURS }) : t('sign_in_again', { n: FRESH_MINUTES })}</p>
      <SignOutButton
        label={t('sign_in_again_button')}
        returnTo={`${isNew ? '/login/code' : '/login'}?${new URLSearchParams({ returnTo })}`}
      />
    </>
  )
}

/** Placeholder of a form that requires re-authentication. */
export function WaitsForPassword() {
  const t = useT('profile')
  return (
    <p className={styles.second}>
      <a href="#confirm">{t('confirm_waits')}</a>
    </p>
  )
}
