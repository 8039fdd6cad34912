import type { RollCall } from '#shared/roll-calls/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { ActionData } from './actions.server.ts'
import { rollCallPath } from './paths.ts'
import styles from './RollCallPage.module.css'

interface Props {
  rollCall: RollCall
  silent: number
  pendingAction: string | null
  actionData: ActionData | undefined
}

/** Repeats the question or ends the roll call, with confirmation. Only for roles that cover the whole roll call. */
export function CallActions({ rollCall, silent, pendingAction, actionData }: Props) {
  const t = useT('rollCalls')
  const translateMessage = useTranslateMessage()
  const error = actionData?.values.subject ? undefined : actionData?.error
  if (rollCall.ended_at || !rollCall.may_change) return null
  return (
    <div className={styles.actions}>
      {error && <Note kind="error" isLive title={translateMessage(error.error)} />}
      {pendingAction === 'close' ? (
        <Note heading="h2" kind="unknown" title={t('close_title')}>
          <p>{t('close_text')}</p>
          <Form action={rollCallPath(rollCall.id)}>
            <input type="hidden" name="intent" value="close" />
            <div className={styles.buttons}>
              <Submit look="danger">{t('close_confirm')}</Submit>
              <ButtonLink to={rollCallPath(rollCall.id)}>{t('cancel')}</ButtonLink>
            </div>
          </Form>
        </Note>
      ) : (
        <Form preventScrollReset>
          <input type="hidden" name="intent" value="remind" />
          <div className={styles.buttons}>
            {silent > 0 && <Submit look="secondary">{t('remind')}</Submit>}
            <ButtonLink to="?action=close" preventScrollReset>
              {t('close')}
            </ButtonLink>
          </div>
        </Form>
      )}
    </div>
  )
}
