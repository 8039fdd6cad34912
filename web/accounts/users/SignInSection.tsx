import { Link } from 'react-router'
import type { SignInAdvice } from '#shared/accounts/sign-in-advice.ts'
import type { FailedSignIns, UserDetail } from '#shared/accounts/users.ts'
import { type Key, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Fact, Facts } from '#web/ui/DetailDrawer.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { type ActionData, actionDataFor } from './action-data.ts'
import styles from './UserPage.module.css'
import { useCounted } from './useCounted.ts'

interface Props {
  user: UserDetail
  advice: SignInAdvice | null
  actionData: ActionData | undefined
}

/** The user's sign-in methods and current sessions, and help with both. */
export function SignInSection({ user, advice, actionData }: Props) {
  const t = useT('users')
  const methods = [
    ...user.sign_in_methods.map((method) => t(`method_${method}` as Key<'users'>)),
    ...(user.passkeys > 0 ? [t('method_passkeys', { count: user.passkeys })] : []),
  ]
  const recover = actionDataFor(actionData, 'recover')
  const sessions = actionDataFor(actionData, 'sessions')
  const canRecover = user.can_get_mail && user.profile_status !== 'suspended'
  return (
    <AdminPanel id="signing-in" title={t('signing_in')}>
      <div className={styles.panelBody}>
        {advice && (
          <Note title={t(`advice_${advice}`)}>
            <p>{t(`advice_${advice}_text`)}</p>
          </Note>
        )}
        <Facts>
          <Fact label={t('sign_in_methods')}>{methods.length > 0 ? methods.join(t('comma')) : t('none')}</Fact>
          <Fact label={t('two_step')}>{t(user.has_second_factor ? 'two_step_on' : 'two_step_off')}</Fact>
          <Fact label={t('last_login')}>{user.last_login_at ? <Time value={user.last_login_at} /> : t('never')}</Fact>
          <Fact label={t('devices')}>
            {t('sessions', { count: user.sessions })}
            {user.devices.map(({ device, last_used_at }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two sessions may share browser and time
              <div key={i} className={styles.plain}>
                <bdi>{device || t('device_unknown')}</bdi> · <Time value={last_used_at} look="relative" />
              </div>
            ))}
          </Fact>
          {user.failed_sign_ins && (
            <Fact label={t('failed_sign_ins')}>
              <Failed failed={user.failed_sign_ins} />
            </Fact>
          )}
        </Facts>
        {user.sessions > 0 && (
          <Form error={sessions.error}>
            <input type="hidden" name="intent" value="sessions" />
            <Buttons>
              <Submit look="secondary">{t('end_sessions')}</Submit>
            </Buttons>
          </Form>
        )}
        {canRecover ? (
          <Form error={recover.error}>
            <input type="hidden" name="intent" value="recover" />
            <Buttons>
              <Submit look="secondary">{t('recover')}</Submit>
            </Buttons>
            <p className={styles.hint}>{t('recover_hint')}</p>
          </Form>
        ) : (
          <p className={styles.hint}>{t(user.can_get_mail ? 'recover_suspended' : 'recover_no_address')}</p>
        )}
      </div>
    </AdminPanel>
  )
}

/** Recent failed sign-ins: how many, from how many networks and when last; networks only as a number. */
function Failed({ failed: { count, networks, last_at } }: { failed: FailedSignIns }) {
  const t = useT('users')
  const counted = useCounted()
  if (count === 0) return t('failed_none')
  return (
    <>
      <Link to="/admin/users/sign-ins?days=30">{t('failed_count', counted(count))}</Link>
      <div className={styles.plain}>
        {t('failed_networks', counted(networks))}
        {last_at && (
          <>
            {t('comma')}
            {t('failed_last')} <Time value={last_at} look="relative" />
          </>
        )}
      </div>
    </>
  )
}
