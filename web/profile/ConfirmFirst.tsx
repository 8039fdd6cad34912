import { FRESH_MINUTES } from '#shared/accounts/profile.ts'
import { useT } from '../lib/i18n.tsx'
import type { Failure } from '../lib/visitor.ts'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import styles from './Profile.module.css'

interface Props {
  action: string
  text: string
  has_password: boolean
  failure: Failure | undefined
}

/** Asks for the password again, before what an open screen alone must not allow. */
export function ConfirmFirst({ action, text, has_password, failure }: Props) {
  const t = useT('profile')
  const problem = useProblems(failure)
  if (!has_password) return <p>{t('sign_in_again', { n: FRESH_MINUTES })}</p>
  return (
    <Form action={action} failure={failure}>
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

/** In the place of a form that waits for it. */
export function WaitsForPassword() {
  const t = useT('profile')
  return (
    <p className={styles.second}>
      <a href="#confirm">{t('confirm_waits')}</a>
    </p>
  )
}
