import { ANSWERS } from '#shared/roll-calls/answers.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { ActionData } from './actions.server.ts'
import { Phone } from './Phone.tsx'
import styles from './RecipientList.module.css'
import { ActionWithNote, actionDataFor, idOf, RecipientList, RecipientOrigin } from './RecipientList.tsx'
import type { Recipient } from './recipient.ts'
import { Texts } from './Texts.tsx'

interface Props {
  recipients: readonly Recipient[]
  isOpen: boolean
  actionData: ActionData | undefined
}

/** All other recipients: those who have not answered first, with the delivery state of the question. */
export function OtherRecipients({ recipients, isOpen, actionData }: Props) {
  const t = useT('rollCalls')
  return (
    <RecipientList recipients={recipients} none={t('recipients_none')} className={styles.people}>
      {(recipient) => (
        <li key={recipient.user_id} id={idOf(recipient)}>
          <div className={styles.who}>
            <strong>
              <bdi>{recipient.name}</bdi>
            </strong>
            <span className={styles.muted}>
              <RecipientOrigin recipient={recipient} />
            </span>
          </div>
          <AnswerSummary recipient={recipient} />
          <Phone recipient={recipient} />
          <Texts recipient={recipient} />
          {isOpen && <WriteAnswer recipient={recipient} actionData={actionDataFor(recipient, actionData)} />}
        </li>
      )}
    </RecipientList>
  )
}

function AnswerSummary({ recipient }: { recipient: Recipient }) {
  const t = useT('rollCalls')
  const { answer, answered_at, answered_via, helped_at, help_note, helper_name, note, reached } = recipient
  if (recipient.unclear_at)
    return (
      <div>
        <span className={styles.alone}>{t('answer_unclear')}</span>
        <span className={styles.muted}>
          {' · '}
          <Time value={recipient.unclear_at} look="relative" />
          {answer && <> · {t('answered_before', { answer: t(`answer_${answer}`) })}</>}
        </span>
      </div>
    )
  if (!answer)
    return (
      <div>
        <span className={styles.silent}>{t('answer_none')}</span>
        <span className={reached === 'failed' || reached === 'recorded' ? styles.alone : styles.muted}>
          {' '}
          · {t(`reached_${reached}`)}
        </span>
      </div>
    )
  return (
    <div>
      <span className={styles[answer]}>{t(helped_at ? 'answer_helped' : `answer_${answer}`)}</span>
      <span className={styles.muted}>
        {answered_via && <> · {t(`via_${answered_via}`)}</>}
        {answered_at && (
          <>
            {' · '}
            <Time value={helped_at ?? answered_at} look="relative" />
          </>
        )}
        {helped_at && helper_name && <> · {isolated(helper_name)}</>}
      </span>
      {(helped_at ? help_note : note) && <UserText>{helped_at ? help_note : note}</UserText>}
    </div>
  )
}

/** Records an answer received by phone. */
function WriteAnswer({ recipient, actionData }: { recipient: Recipient; actionData: ActionData | undefined }) {
  const t = useT('rollCalls')
  const problem = useProblems(actionData?.error)
  return (
    <ActionWithNote
      recipient={recipient}
      intent="answer"
      actionData={actionData}
      summary={t('write')}
      summaryLabel={`${t('write')}: ${recipient.name}`}
      label={t('write_note')}
      hint={t('write_note_hint')}
      send={t('write_save')}
    >
      <SelectField
        label={t('write_answer')}
        name="answer"
        defaultValue={actionData?.values.answer ?? 'safe'}
        error={problem('answer')}
      >
        {ANSWERS.map((answer) => (
          <option key={answer} value={answer}>
            {t(`answer_${answer}`)}
          </option>
        ))}
      </SelectField>
    </ActionWithNote>
  )
}
