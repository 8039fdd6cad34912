import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '../lib/i18n.tsx'
import { Buttons } from '../ui/Buttons.tsx'
import { TextField } from '../ui/Field.tsx'
import { Fold } from '../ui/Fold.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { Time } from '../ui/Time.tsx'
import { type Posted, postedFor } from './posted.ts'
import styles from './Users.module.css'

type Stopped = UserDetail['stopped'][number]

/** Addresses to which nothing is sent any more, with the way to start again where they only failed. */
export function StoppedPart({ user, posted }: { user: UserDetail; posted: Posted | undefined }) {
  const t = useT('users')
  if (user.stopped.length === 0) return null
  return (
    <Fold open summary={t('stopped')}>
      <div>
        {user.stopped.map((stopped) => (
          <StoppedAddress key={stopped.channel} stopped={stopped} posted={posted} />
        ))}
      </div>
    </Fold>
  )
}

function StoppedAddress({
  stopped: { channel, reason, since },
  posted,
}: {
  stopped: Stopped
  posted: Posted | undefined
}) {
  const t = useT('users')
  const own = posted?.typed.channel === channel ? postedFor(posted, 'stopped') : undefined
  const problem = useProblems(own?.failure)
  const isByOwner = reason === 'opted_out' || reason === 'complained'
  return (
    <>
      <p>
        {t(`stopped_${channel}`)}: {t(`stopped_${reason}`)} · <Time value={since} look="day" />
      </p>
      {isByOwner ? (
        <p className={styles.hint}>{t('stopped_by_owner')}</p>
      ) : (
        <Form failure={own?.failure}>
          <input type="hidden" name="intent" value="stopped" />
          <input type="hidden" name="channel" value={channel} />
          <TextField
            label={t('reason_kept')}
            name="reason"
            maxLength={500}
            defaultValue={own?.typed?.reason}
            error={problem('reason')}
          />
          <Buttons>
            <Submit look="secondary">{t('stopped_clear')}</Submit>
          </Buttons>
        </Form>
      )}
    </>
  )
}
