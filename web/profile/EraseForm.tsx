import { FRESH_MINUTES } from '#shared/accounts/profile.ts'
import { useT } from '../lib/i18n.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import { Part } from './Part.tsx'
import styles from './Profile.module.css'
import type { Tried } from './tried.ts'

interface Props {
  email: string
  is_fresh: boolean
  has_password: boolean
  tried: Tried | undefined
}

/** Erasing the account: what it means, and the own address typed as a sign that it is meant. */
export function EraseForm({ email, is_fresh, has_password, tried }: Props) {
  const t = useT('profile')
  const problem = useProblems(tried?.failure)
  return (
    <Part id="erase" title={t('erase')} hint={t('erase_hint')}>
      <ul className={styles.consequences}>
        <li>{t('erase_gone')}</li>
        <li>{t('erase_sign_in')}</li>
        <li>{t('erase_kept')}</li>
        <li>{t('erase_final')}</li>
      </ul>
      {is_fresh || has_password ? (
        <Form action="/dashboard/profile/my-data" failure={tried?.failure}>
          <input type="hidden" name="intent" value="erase" />
          <div className={styles.fields}>
            <TextField
              label={t('erase_email')}
              hint={<bdi dir="ltr">{email}</bdi>}
              name="email"
              type="email"
              autoComplete="off"
              dir="ltr"
              required
              maxLength={254}
              defaultValue={tried?.typed.email}
              error={problem('email')}
            />
            {!is_fresh && <CurrentPassword error={problem('current_password')} />}
          </div>
          <div className={styles.buttons}>
            <Submit look="danger">{t('erase_button')}</Submit>
          </div>
        </Form>
      ) : (
        <p>{t('sign_in_again', { n: FRESH_MINUTES })}</p>
      )}
    </Part>
  )
}
