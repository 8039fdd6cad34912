import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { ActionData } from './actions.server.ts'
import { Phone } from './Phone.tsx'
import styles from './RecipientList.module.css'
import { ActionWithNote, actionDataFor, idOf, RecipientList, RecipientOrigin } from './RecipientList.tsx'
import type { Recipient } from './recipient.ts'
import { isInTexts, Texts } from './Texts.tsx'

interface Props {
  recipients: readonly Recipient[]
  me: string
  actionData: ActionData | undefined
}

/** Recipients who need help: those without a helper first, the longest waiting at the top. */
export function HelpList({ recipients, me, actionData }: Props) {
  const t = useT('rollCalls')
  return (
    <RecipientList recipients={recipients} none={t('help_none')} className={styles.help}>
      {(recipient) => (
        <HelpRequest
          key={recipient.user_id}
          recipient={recipient}
          me={me}
          actionData={actionDataFor(recipient, actionData)}
        />
      )}
    </RecipientList>
  )
}

function HelpRequest({
  recipient,
  me,
  actionData,
}: {
  recipient: Recipient
  me: string
  actionData: ActionData | undefined
}) {
  const t = useT('rollCalls')
  const { user_id, name, answered_at, note, taken_at } = recipient
  return (
    <li id={idOf(recipient)} className={taken_at ? styles.taken : styles.untaken}>
      <div className={styles.head}>
        <h3>
          <Icon name={taken_at ? 'hands' : 'emergency'} /> <bdi>{name}</bdi>
        </h3>
        <span className={styles.muted}>
          <RecipientOrigin recipient={recipient} />
          {answered_at && (
            <>
              {' · '}
              <Time value={answered_at} look="relative" />
            </>
          )}
        </span>
      </div>
      <Phone recipient={recipient} />
      {note && !isInTexts(recipient) && <UserText>{note}</UserText>}
      <Texts recipient={recipient} />
      <Helper recipient={recipient} me={me} />
      {user_id !== me && (
        <div className={styles.helpActions}>
          {!taken_at && (
            <Form preventScrollReset error={actionData?.intent === 'take' ? actionData.error : undefined}>
              <input type="hidden" name="intent" value="take" />
              <input type="hidden" name="subject" value={user_id} />
              <div>
                <Submit>{t('take')}</Submit>
              </div>
            </Form>
          )}
          <ActionWithNote
            recipient={recipient}
            intent="helped"
            actionData={actionData?.intent === 'helped' ? actionData : undefined}
            summary={t('helped')}
            label={t('helped_note')}
            send={t('helped_close')}
          />
        </div>
      )}
    </li>
  )
}

function Helper({
  recipient: { helper_id, helper_name, taken_at, escalations },
  me,
}: {
  recipient: Recipient
  me: string
}) {
  const t = useT('rollCalls')
  if (taken_at)
    return (
      <p className={styles.ok}>
        {helper_id === me ? t('you_take_care') : t('takes_care', { name: isolated(helper_name ?? '') })} ·{' '}
        <Time value={taken_at} look="relative" />
      </p>
    )
  return (
    <p className={styles.alone}>
      {helper_name ? t('requested_helper', { name: isolated(helper_name) }) : t('no_helper')}
      {escalations > 0 && <> · {t('escalated', { count: escalations })}</>}
    </p>
  )
}
