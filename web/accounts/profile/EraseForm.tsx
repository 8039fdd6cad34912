import type { Freshness } from '#shared/accounts/profile.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { SignInAgain } from './ConfirmFirst.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'

interface Props {
  email: string
  is_fresh: boolean
  confirm_by: Freshness['confirm_by']
  tried: FormResult | undefined
}

/** Erases the account: the consequences, and the user's email address typed as confirmation. */
export function EraseForm({ email, is_fresh, confirm_by, tried }: Props) {
  const t = useT('profile')
  const problem = useProblems(tried?.error)
  return (
    <ProfileSection id="erase" title={t('erase')} hint={t('erase_hint')}>
      <ul className={styles.consequences}>
        <li>{t('erase_gone')}</li>
        <li>{t('erase_sign_in')}</li>
        <li>{t('erase_audit')}</li>
        <li>{t('erase_final')}</li>
      </ul>
      {is_fresh || confirm_by === 'password' ? (
        <Form action="/dashboard/profile/my-data" error={tried?.error}>
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
              defaultValue={tried?.values.email}
              error={problem('email')}
            />
            {!is_fresh && <CurrentPassword error={problem('current_password')} />}
          </div>
          <div className={styles.buttons}>
            <Submit look="danger">{t('erase_button')}</Submit>
          </div>
        </Form>
      ) : (
        <SignInAgain confirm_by={confirm_by} returnTo="/dashboard/profile/my-data" />
      )}
    </ProfileSection>
  )
}
