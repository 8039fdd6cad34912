import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '../lib/i18n.tsx'
import { Buttons } from '../ui/Buttons.tsx'
import { Fold } from '../ui/Fold.tsx'
import { Form, Submit } from '../ui/Form.tsx'
import { type Posted, postedFor } from './posted.ts'
import styles from './Users.module.css'

/** Help with coming in, and putting out. */
export function SignInPart({ user, posted }: { user: UserDetail; posted: Posted | undefined }) {
  const t = useT('users')
  const recover = postedFor(posted, 'recover')
  const sessions = postedFor(posted, 'sessions')
  const canRecover = user.can_get_mail && user.profile_status !== 'suspended'
  return (
    <Fold open={Boolean(recover.failure ?? sessions.failure)} summary={t('sign_in')}>
      <div>
        {canRecover ? (
          <Form failure={recover.failure}>
            <input type="hidden" name="intent" value="recover" />
            <p className={styles.hint}>{t('recover_hint')}</p>
            <Buttons>
              <Submit look="secondary">{t('recover')}</Submit>
            </Buttons>
          </Form>
        ) : (
          <p className={styles.hint}>{t(user.can_get_mail ? 'recover_suspended' : 'recover_no_address')}</p>
        )}
        <Form failure={sessions.failure}>
          <input type="hidden" name="intent" value="sessions" />
          <p className={styles.hint}>{t('sessions', { count: user.sessions })}</p>
          {user.sessions > 0 && (
            <Buttons>
              <Submit look="secondary">{t('end_sessions')}</Submit>
            </Buttons>
          )}
        </Form>
      </div>
    </Fold>
  )
}
