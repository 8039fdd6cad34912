import { Form, useNavigation } from 'react-router'
import type { AdvisoryInHand } from '#shared/advisories/admin.ts'
import { type Key, useT } from '../../lib/i18n.tsx'
import { said } from '../../lib/said.ts'
import type { Failure } from '../../lib/visitor.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Buttons } from '../../ui/Buttons.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './Deeds.module.css'
import { editPath } from './paths.ts'

interface Props {
  advisory: AdvisoryInHand
  /** What is to be confirmed: 'withdraw' or 'delete'. */
  asks: string | null
  failure: Failure | undefined
  /** The newest entry of the trail that is shown. */
  seen: number
}

/** What can be done with an advisory besides writing it. What takes it away asks first, on this page. */
export function Deeds({ advisory, asks, failure, seen }: Props) {
  const t = useT('manage')
  const forms = useT('forms')
  const { is_written_here: isOurs, is_active, status, is_urgent, urgent_by_portal, auto_notify } = advisory
  const canWithdraw = is_active && status === 'actual'
  const canRestore = advisory.standing === 'withdrawn'
  return (
    <div className={styles.deeds}>
      {failure && failure.code !== 'stale' && !failure.fields.reason && (
        <Note kind="error" isLive title={said(forms, failure.error)} />
      )}
      {asks === 'withdraw' && canWithdraw && (
        <Confirm deed="withdraw" advisory={advisory} failure={failure} seen={seen} isReasoned />
      )}
      {asks === 'delete' && isOurs && <Confirm deed="delete" advisory={advisory} failure={failure} seen={seen} />}
      {!isOurs && <p className={styles.text}>{t('imported_text')}</p>}
      <Form method="post" key={advisory.updated_at}>
        <Buttons>
          <Seen advisory={advisory} seen={seen} />
          {canWithdraw && <ButtonLink to="?action=withdraw">{t('withdraw')}</ButtonLink>}
          {canRestore && <Deed intent="restore" label="restore" />}
          {!isOurs && !is_urgent && <Deed intent="urgent" label="mark_urgent" />}
          {!isOurs && urgent_by_portal && <Deed intent="not_urgent" label="unmark_urgent" />}
          {!isOurs && (
            <Deed
              intent={auto_notify ? 'not_notify' : 'notify'}
              label={auto_notify ? 'unmark_notify' : 'mark_notify'}
            />
          )}
          {advisory.standing === 'in_force' && (
            <ButtonLink to={`/admin/roll-calls/new?advisory=${advisory.id}`}>{t('roll_call')}</ButtonLink>
          )}
          {isOurs && <Deed intent="duplicate" label="duplicate" />}
          {isOurs && (
            <ButtonLink look="link" to="?action=delete">
              {t('delete')}
            </ButtonLink>
          )}
        </Buttons>
      </Form>
    </div>
  )
}

function Deed({ intent, label }: { intent: string; label: Key<'manage'> }) {
  const t = useT('manage')
  const { formData } = useNavigation()
  return (
    <Button type="submit" name="intent" value={intent} isBusy={formData?.get('intent') === intent}>
      {t(label)}
    </Button>
  )
}

/** What the form was made from: older than the advisory, it is refused. */
function Seen({ advisory, seen }: Pick<Props, 'advisory' | 'seen'>) {
  return (
    <>
      <input type="hidden" name="made_from" value={advisory.updated_at} />
      <input type="hidden" name="seen" value={seen} />
    </>
  )
}

interface ConfirmProps extends Omit<Props, 'asks'> {
  deed: 'withdraw' | 'delete'
  isReasoned?: boolean
}

function Confirm({ deed, advisory, failure, seen, isReasoned }: ConfirmProps) {
  const t = useT('manage')
  const forms = useT('forms')
  const error = failure?.fields.reason
  return (
    <Note heading="h2" kind="unknown" title={t(`${deed}_title`)}>
      <p>{t(`${deed}_text`)}</p>
      <Form method="post" action={editPath(advisory.id)} className={styles.confirm}>
        <Seen advisory={advisory} seen={seen} />
        <TextField
          label={t('reason')}
          name="reason"
          required={isReasoned}
          maxLength={500}
          hint={t(isReasoned ? 'reason_hint' : 'reason_optional')}
          error={error && said(forms, error)}
        />
        <Buttons>
          <Button type="submit" look="danger" name="intent" value={deed}>
            {t(`${deed}_confirm`)}
          </Button>
          <ButtonLink to={editPath(advisory.id)}>{t('cancel')}</ButtonLink>
        </Buttons>
      </Form>
    </Note>
  )
}
