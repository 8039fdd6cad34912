import { useT } from '#web/lib/i18n.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import { PasswordField } from '../PasswordField.tsx'
import { WaitsForPassword } from './ConfirmFirst.tsx'
import { methodKey } from './method-key.ts'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import type { SignInState } from './sign-in-state.ts'

/** Linked sign-in services; the last sign-in method cannot be removed. */
export function SignInMethodsSection(state: SignInState) {
  const { identities, factors, providers, is_fresh, intent, error, done } = state
  const t = useT('profile')
  const isLast = identities.length + factors.passkeys.length <= 1
  const canLink = (provider: 'google' | 'mcgi-hub') =>
    (provider === 'google' ? providers.google : providers.hub) &&
    !identities.some((identity) => identity.provider === provider)
  const doneMessage = done === 'linked' ? t('method_linked') : done === 'unlinked' ? t('method_unlinked') : null
  return (
    <ProfileSection id="methods" title={t('sign_in_methods')} hint={t('sign_in_methods_hint')} done={doneMessage}>
      <Form action="/dashboard/profile/sign-in" error={intent === 'unlink' ? error : undefined}>
        <input type="hidden" name="intent" value="unlink" />
        {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
        <ul className={styles.list} role="list">
          {identities.map(({ id, provider, linked_at }) => (
            <li key={id} className={styles.item}>
              <span>
                {t(methodKey(provider))}
                <br />
                <span className={styles.second}>
                  {t('since')} <Time value={linked_at} look="day" />
                </span>
              </span>
              {is_fresh && !isLast && (
                <Button
                  type="submit"
                  isSmall
                  name="id"
                  value={id}
                  aria-label={t('unlink_named', { name: t(methodKey(provider)) })}
                >
                  {t('unlink')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Form>
      {isLast && <p className={styles.second}>{t('last_sign_in_method')}</p>}
      {!is_fresh && (!isLast || canLink('google') || canLink('mcgi-hub')) && <WaitsForPassword />}
      {is_fresh && canLink('google') && (
        <div className={styles.buttons}>
          <ButtonLink to="/dashboard/profile/link-google" reloadDocument rel="nofollow">
            {t('link_google')}
          </ButtonLink>
        </div>
      )}
      {is_fresh && canLink('mcgi-hub') && <LinkHub {...state} />}
    </ProfileSection>
  )
}

function LinkHub({ intent, error, values, hub_code }: SignInState) {
  const t = useT('profile')
  const mine = intent === 'hub' ? error : undefined
  const problem = useProblems(mine)
  return (
    <details open={intent === 'hub'}>
      <summary>{t('link_hub')}</summary>
      <Form action="/dashboard/profile/sign-in" error={mine}>
        <input type="hidden" name="intent" value="hub" />
        <input type="hidden" name="asks_code" value={String(hub_code ?? false)} />
        {hub_code && <p role="status">{t('hub_code_text')}</p>}
        <div className={styles.fields}>
          <TextField
            label={t('hub_user_name')}
            name="user_name"
            autoComplete="username"
            dir="ltr"
            required
            maxLength={200}
            defaultValue={intent === 'hub' ? values?.user_name : undefined}
            error={problem('userName')}
          />
          <PasswordField
            label={t('hub_password')}
            name="password"
            autoComplete="current-password"
            error={problem('password')}
          />
          {hub_code && (
            <TextField
              label={t('hub_code')}
              name="code"
              autoComplete="one-time-code"
              dir="ltr"
              required
              maxLength={20}
              error={problem('twoFactorCode')}
            />
          )}
        </div>
        <div className={styles.buttons}>
          <Submit look="secondary">{t('link_hub_button')}</Submit>
        </div>
      </Form>
    </details>
  )
}
