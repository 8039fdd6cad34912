import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import { type ActionData, actionDataFor } from './action-data.ts'
import styles from './Users.module.css'

type Suppression = UserDetail['stopped'][number]

/** Suppressed addresses, with a button to resume where deliveries merely failed. */
export function SuppressionsSection({ user, actionData }: { user: UserDetail; actionData: ActionData | undefined }) {
  const t = useT('users')
  if (user.stopped.length === 0) return null
  return (
    <Fold open summary={t('suppressions')}>
      <div>
        {user.stopped.map((suppression) => (
          <SuppressedAddress key={suppression.channel} suppression={suppression} actionData={actionData} />
        ))}
      </div>
    </Fold>
  )
}

function SuppressedAddress({
  suppression: { channel, reason, since },
  actionData,
}: {
  suppression: Suppression
  actionData: ActionData | undefined
}) {
  const t = useT('users')
  const own = actionData?.values.channel === channel ? actionDataFor(actionData, 'suppression') : undefined
  const problem = useProblems(own?.error)
  const isByOwner = reason === 'opted_out' || reason === 'complained'
  return (
    <>
      <p>
        {t(`suppressed_${channel}`)}: {t(`suppressed_${reason}`)} · <Time value={since} look="day" />
      </p>
      {isByOwner ? (
        <p className={styles.hint}>{t('suppressed_by_owner')}</p>
      ) : (
        <Form error={own?.error}>
          <input type="hidden" name="intent" value="suppression" />
          <input type="hidden" name="channel" value={channel} />
          <TextField
            label={t('reason_for_record')}
            name="reason"
            maxLength={500}
            defaultValue={own?.values?.reason}
            error={problem('reason')}
          />
          <Buttons>
            <Submit look="secondary">{t('suppression_clear')}</Submit>
          </Buttons>
        </Form>
      )}
    </>
  )
}
