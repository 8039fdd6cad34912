import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { WaitsForPassword } from './ConfirmFirst.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import type { SignInState } from './sign-in-state.ts'

/** A phone number is verified by a code sent to it. */
export function PhoneSection({ profile, providers, is_fresh, intent, error, values, phone, done }: SignInState) {
  const t = useT('profile')
  const mine = intent === 'phone' || intent === 'phone-code' ? error : undefined
  const doneMessage = done === 'phone' ? t('phone_changed') : done === 'phone-removed' ? t('phone_removed') : null
  return (
    <ProfileSection id="phone" title={t('phone')} hint={t('phone_text')} done={doneMessage}>
      <p>
        {profile.phone_number ? (
          <>
            <bdi dir="ltr">{profile.phone_number}</bdi>{' '}
            <span className={styles.second}>{t(profile.phone_verified ? 'confirmed' : 'not_confirmed_yet')}</span>
          </>
        ) : (
          t('phone_none')
        )}
      </p>
      {!providers.phone ? (
        <p className={styles.second}>{t('phone_unavailable')}</p>
      ) : !is_fresh ? (
        <WaitsForPassword />
      ) : phone ? (
        <CodeForm phone={phone} error={mine} />
      ) : (
        <NumberForm values={mine && values?.phone} error={mine} />
      )}
      {profile.phone_number && is_fresh && !phone && (
        <RemoveForm error={intent === 'remove-phone' ? error : undefined} />
      )}
    </ProfileSection>
  )
}

function NumberForm({ values, error }: { values: string | undefined; error: SignInState['error'] }) {
  const t = useT('profile')
  const problem = useProblems(error)
  return (
    <Form action="/dashboard/profile/sign-in" error={error}>
      <input type="hidden" name="intent" value="phone" />
      <div className={styles.fields}>
        <TextField
          label={t('phone_new')}
          hint={t('phone_hint')}
          type="tel"
          name="phone"
          autoComplete="tel"
          dir="ltr"
          required
          maxLength={30}
          defaultValue={values}
          error={problem('phone')}
        />
      </div>
      <div className={styles.buttons}>
        <Submit look="secondary">{t('phone_send')}</Submit>
      </div>
    </Form>
  )
}

function RemoveForm({ error }: { error: SignInState['error'] }) {
  const t = useT('profile')
  return (
    <Form action="/dashboard/profile/sign-in" error={error}>
      <input type="hidden" name="intent" value="remove-phone" />
      <div className={styles.buttons}>
        <Submit look="secondary">{t('phone_remove')}</Submit>
      </div>
    </Form>
  )
}

function CodeForm({ phone, error }: { phone: string; error: SignInState['error'] }) {
  const t = useT('profile')
  const problem = useProblems(error)
  return (
    <Form action="/dashboard/profile/sign-in" error={error}>
      <input type="hidden" name="intent" value="phone-code" />
      <input type="hidden" name="phone" value={phone} />
      <p role="status">
        {t('phone_sent')} <bdi dir="ltr">{phone}</bdi>
      </p>
      <div className={styles.fields}>
        <TextField
          label={t('code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          required
          maxLength={12}
          error={problem('code') ?? problem('phone')}
        />
      </div>
      <div className={styles.buttons}>
        <Submit>{t('phone_confirm')}</Submit>
      </div>
    </Form>
  )
}
