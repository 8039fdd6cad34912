import { Form, useNavigation } from 'react-router'
import type { AdminAdvisory } from '#shared/advisories/admin.ts'
import { type Key, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Actions.module.css'
import { editPath } from './paths.ts'

interface Props {
  advisory: AdminAdvisory
  /** The action to confirm: 'withdraw' or 'delete'. */
  pendingAction: string | null
  error: FormError | undefined
  /** The newest audit log entry on the page. */
  seen: number
}

/** Actions on an advisory other than editing. Withdrawing and deleting ask for confirmation on this page. */
export function Actions({ advisory, pendingAction, error, seen }: Props) {
  const t = useT('manage')
  const forms = useT('forms')
  const { is_written_here: isOurs, is_active, status, is_urgent, urgent_by_portal, auto_notify } = advisory
  const canWithdraw = is_active && status === 'actual'
  const canRestore = advisory.standing === 'withdrawn'
  return (
    <div className={styles.actions}>
      {error && error.code !== 'stale' && !error.fields.reason && (
        <Note kind="error" isLive title={translateMessage(forms, error.error)} />
      )}
      {pendingAction === 'withdraw' && canWithdraw && (
        <Confirm action="withdraw" advisory={advisory} error={error} seen={seen} isReasoned />
      )}
      {pendingAction === 'delete' && isOurs && (
        <Confirm action="delete" advisory={advisory} error={error} seen={seen} />
      )}
      {!isOurs && <p className={styles.text}>{t('imported_text')}</p>}
      <Form method="post" key={advisory.updated_at}>
        <Buttons>
          <Seen advisory={advisory} seen={seen} />
          {canWithdraw && <ButtonLink to="?action=withdraw">{t('withdraw')}</ButtonLink>}
          {canRestore && <Action intent="restore" label="restore" />}
          {!isOurs && !is_urgent && <Action intent="urgent" label="mark_urgent" />}
          {!isOurs && urgent_by_portal && <Action intent="not_urgent" label="unmark_urgent" />}
          {!isOurs && (
            <Action
              intent={auto_notify ? 'not_notify' : 'notify'}
              label={auto_notify ? 'unmark_notify' : 'mark_notify'}
            />
          )}
          {advisory.standing === 'in_force' && (
            <ButtonLink to={`/admin/roll-calls/new?advisory=${advisory.id}`}>{t('roll_call')}</ButtonLink>
          )}
          {isOurs && <Action intent="duplicate" label="duplicate" />}
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

function Action({ intent, label }: { intent: string; label: Key<'manage'> }) {
  const t = useT('manage')
  const { formData } = useNavigation()
  return (
    <Button type="submit" name="intent" value={intent} isBusy={formData?.get('intent') === intent}>
      {t(label)}
    </Button>
  )
}

/** Version the form is based on; rejected if the advisory is newer. */
function Seen({ advisory, seen }: Pick<Props, 'advisory' | 'seen'>) {
  return (
    <>
      <input type="hidden" name="made_from" value={advisory.updated_at} />
      <input type="hidden" name="seen" value={seen} />
    </>
  )
}

interface ConfirmProps extends Omit<Props, 'pendingAction'> {
  action: 'withdraw' | 'delete'
  isReasoned?: boolean
}

function Confirm({ action, advisory, error: formError, seen, isReasoned }: ConfirmProps) {
  const t = useT('manage')
  const forms = useT('forms')
  const error = formError?.fields.reason
  return (
    <Note heading="h2" kind="unknown" title={t(`${action}_title`)}>
      <p>{t(`${action}_text`)}</p>
      <Form method="post" action={editPath(advisory.id)} className={styles.confirm}>
        <Seen advisory={advisory} seen={seen} />
        <TextField
          label={t('reason')}
          name="reason"
          required={isReasoned}
          maxLength={500}
          hint={t(isReasoned ? 'reason_hint' : 'reason_optional')}
          error={error && translateMessage(forms, error)}
        />
        <Buttons>
          <Button type="submit" look="danger" name="intent" value={action}>
            {t(`${action}_confirm`)}
          </Button>
          <ButtonLink to={editPath(advisory.id)}>{t('cancel')}</ButtonLink>
        </Buttons>
      </Form>
    </Note>
  )
}
