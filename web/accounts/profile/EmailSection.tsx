import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { WaitsForPassword } from './ConfirmFirst.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import type { SignInState } from './sign-in-state.ts'

/** The user's email address, and the form to change it. */
export function EmailSection({ profile, is_fresh, intent, error, values, done }: SignInState) {
  const t = useT('profile')
  const mine = intent === 'email' ? error : undefined
  const problem = useProblems(mine)
  return (
    <ProfileSection id="email" title={t('email')} done={done === 'email' && t('email_sent')}>
      <p>
        <bdi dir="ltr">{profile.email}</bdi>{' '}
        <span className={styles.second}>{t(profile.email_verified ? 'confirmed' : 'not_confirmed_yet')}</span>
      </p>
      {is_fresh ? (
        <Form action="/dashboard/profile/sign-in" error={mine}>
          <input type="hidden" name="intent" value="email" />
          <div className={styles.fields}>
            <TextField
              label={t('email_new')}
              hint={t('email_hint')}
              type="email"
              name="email"
              autoComplete="email"
              dir="ltr"
              required
              maxLength={254}
              defaultValue={mine && values?.email}
              error={problem('email')}
            />
          </div>
          <div className={styles.buttons}>
            <Submit look="secondary">{t('email_change')}</Submit>
          </div>
        </Form>
      ) : (
        <WaitsForPassword />
      )}
    </ProfileSection>
  )
}
