import type { AddressHealth, Preferences } from '#shared/notifications/preferences.ts'
import profile from '#web/accounts/profile/Profile.module.css'
import { ProfileSection } from '#web/accounts/profile/ProfileSection.tsx'
import { useZone } from '#web/lib/clock.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { formatDay, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Preferences.module.css'

const SIGN_IN = '/dashboard/profile/sign-in'

interface Props {
  preferences: Preferences
  tried: FormResult | undefined
  isDone: boolean
}

/** Whether messages reach the user's email address and phone number, and what to do if not. */
export function AddressesSection({ preferences: { email, phone, time_zone }, tried, isDone }: Props) {
  const t = useT('notifications')
  const errorOf = (channel: string) => (tried?.values.channel === channel ? tried.error : undefined)
  return (
    <ProfileSection
      id="addresses"
      title={t('addresses')}
      hint={t('addresses_hint')}
      done={isDone && t('send_again_done')}
    >
      <Address kind="email" health={email} zone={time_zone} error={errorOf('email')} />
      {phone ? (
        <Address kind="phone" health={phone} zone={time_zone} error={errorOf('sms')} />
      ) : (
        <div className={styles.address}>
          <h3>{t('phone_number')}</h3>
          <p>{t('phone_none')}</p>
          <div className={profile.buttons}>
            <ButtonLink to={`${SIGN_IN}#phone`}>{t('phone_add')}</ButtonLink>
          </div>
        </div>
      )}
    </ProfileSection>
  )
}

interface AddressProps {
  kind: 'email' | 'phone'
  health: AddressHealth
  zone: string | null
  error: FormError | undefined
}

function Address({ kind, health: { address, is_confirmed, stopped, worked_at }, zone, error }: AddressProps) {
  const t = useT('notifications')
  const language = useLanguage()
  const portalZone = useZone()
  const dayOf = (at: string) => isolated(formatDay(language, at, zone ?? portalZone))
  return (
    <div className={styles.address}>
      <h3>{t(kind === 'email' ? 'email_address' : 'phone_number')}</h3>
      <p>
        <bdi dir="ltr">{address}</bdi>{' '}
        <span className={profile.second}>{t(is_confirmed ? 'confirmed' : 'not_confirmed')}</span>
      </p>
      {worked_at ? (
        <p>{t('worked', { day: dayOf(worked_at) })}</p>
      ) : (
        kind === 'phone' && !stopped && <p>{t('worked_never')}</p>
      )}
      {stopped && (
        <Note kind="error" title={t(`${kind}_${stopped.reason}`, { day: dayOf(stopped.since) })}>
          <p>{t(`${kind}_${stopped.reason}_text`)}</p>
        </Note>
      )}
      {stopped && (
        <Form action="/notifications/preferences" error={error}>
          <input type="hidden" name="intent" value="again" />
          <input type="hidden" name="channel" value={kind === 'email' ? 'email' : 'sms'} />
          <div className={profile.buttons}>
            <Submit look="secondary">{t('send_again')}</Submit>
            <ButtonLink to={`${SIGN_IN}#${kind}`}>{t(kind === 'email' ? 'change_email' : 'change_phone')}</ButtonLink>
          </div>
        </Form>
      )}
    </div>
  )
}
