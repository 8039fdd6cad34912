import { PASSWORD_LENGTH } from '#shared/accounts/profile.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { PasswordField } from '../PasswordField.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import type { SignInState } from './sign-in-state.ts'

/** Changes the password, or sets a first one for users of another sign-in method. */
export function PasswordSection({ factors, profile, intent, error, done }: SignInState) {
  const t = useT('profile')
  const mine = intent === 'password' ? error : undefined
  const problem = useProblems(mine)
  const has = factors.has_password
  return (
    <ProfileSection
      id="password"
      title={t('password')}
      hint={t(has ? 'password_text' : 'password_first_text')}
      done={done === 'password' && t('password_changed')}
    >
      <Form action="/dashboard/profile/sign-in" error={mine}>
        <input type="hidden" name="intent" value="password" />
        {/* Lets password managers assign the password to the account. */}
        <input type="email" name="username" autoComplete="username" value={profile.email} readOnly hidden />
        <div className={styles.fields}>
          {has && <CurrentPassword error={problem('current_password')} />}
          <PasswordField
            label={t('password_new')}
            hint={t('password_hint', { n: PASSWORD_LENGTH.min })}
            name="password"
            autoComplete="new-password"
            error={problem('password')}
          />
        </div>
        <div className={styles.buttons}>
          <Submit look="secondary">{t(has ? 'password_change' : 'password_set')}</Submit>
        </div>
      </Form>
    </ProfileSection>
  )
}
