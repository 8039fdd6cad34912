import { useT } from '../lib/i18n.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { WaitsForPassword } from './ConfirmFirst.tsx'
import { Part } from './Part.tsx'
import styles from './Profile.module.css'
import type { SignInState } from './SignInPage.tsx'

/** A phone number counts once a code sent to it was given back. */
export function PhonePart({ profile, providers, is_fresh, intent, failure, typed, phone, done }: SignInState) {
  const t = useT('profile')
  const mine = intent === 'phone' || intent === 'phone-code' ? failure : undefined
  const notice = done === 'phone' ? t('phone_changed') : done === 'phone-removed' ? t('phone_removed') : null
  return (
    <Part id="phone" title={t('phone')} hint={t('phone_text')} done={notice}>
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
        <CodeForm phone={phone} failure={mine} />
      ) : (
        <NumberForm typed={mine && typed?.phone} failure={mine} />
      )}
      {profile.phone_number && is_fresh && !phone && (
        <RemoveForm failure={intent === 'remove-phone' ? failure : undefined} />
      )}
    </Part>
  )
}

function NumberForm({ typed, failure }: { typed: string | undefined; failure: SignInState['failure'] }) {
  const t = useT('profile')
  const problem = useProblems(failure)
  return (
    <Form action="/dashboard/profile/sign-in" failure={failure}>
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
          defaultValue={typed}
          error={problem('phone')}
        />
      </div>
      <div className={styles.buttons}>
        <Submit look="secondary">{t('phone_send')}</Submit>
      </div>
    </Form>
  )
}

function RemoveForm({ failure }: { failure: SignInState['failure'] }) {
  const t = useT('profile')
  return (
    <Form action="/dashboard/profile/sign-in" failure={failure}>
      <input type="hidden" name="intent" value="remove-phone" />
      <div className={styles.buttons}>
        <Submit look="secondary">{t('phone_remove')}</Submit>
      </div>
    </Form>
  )
}

function CodeForm({ phone, failure }: { phone: string; failure: SignInState['failure'] }) {
  const t = useT('profile')
  const problem = useProblems(failure)
  return (
    <Form action="/dashboard/profile/sign-in" failure={failure}>
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
