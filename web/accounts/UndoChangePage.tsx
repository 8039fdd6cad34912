import { data } from 'react-router'
import { getSignInChange, undoSignInChange } from '#shared/accounts/sign-in-changes.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import styles from '#web/notifications/Unsubscribe.module.css'
import type { RouteHandle } from '#web/root.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/UndoChangePage'

export const handle = { ns: ['signInChanges', 'forms'] } satisfies RouteHandle

export async function loader({ context, params }: Route.LoaderArgs) {
  const title = translator(visitorOf(context).language, 'signInChanges')('title')
  const { done, error } = await attempt(context, (call) => call(getSignInChange, { params: { token: params.token } }))
  return data({ title, change: done ?? null, error: error ?? null }, { status: error?.status ?? 200 })
}

export const action = formAction<{ undone: { sent_mail: boolean } }>(async (call, { params: { token = '' } }) => ({
  undone: await call(undoSignInChange, { params: { token } }),
}))

/** The link is used up after the action, so the page must not reload its data. */
export const shouldRevalidate = () => false

/** Landing page of the link in a change notification. Mail scanners open links too, so the button performs the undo. */
export default function UndoChangePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('signInChanges')
  const { title, change, error } = loaderData
  if (actionData?.undone) return <Undone {...actionData.undone} />
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      {!change ? (
        <Unusable code={error?.code} />
      ) : (
        <>
          <p className={styles.what}>{t(change.kind)}</p>
          <p className={styles.second}>
            <Time value={change.changed_at} />
          </p>
          <p>{t('undo_text')}</p>
          {change.later > 0 && <Note title={t('later_title')}>{t('later_text', { count: change.later })}</Note>}
          <Form error={actionData?.error}>
            <Submit busyLabel={t('undoing')}>{t('undo_button')}</Submit>
          </Form>
          <p className={styles.second}>{t('was_me')}</p>
        </>
      )}
    </div>
  )
}

function Undone({ sent_mail }: { sent_mail: boolean }) {
  const t = useT('signInChanges')
  return (
    <div className={styles.page}>
      <h1>{t('undone')}</h1>
      <Note kind="success" title={t('undone_title')} isLive>
        <p>{t(sent_mail ? 'undone_mail' : 'undone_sign_in')}</p>
      </Note>
      <div>
        <ButtonLink to="/login">{t('sign_in')}</ButtonLink>
      </div>
      <p className={styles.second}>{t('undone_next')}</p>
    </div>
  )
}

function Unusable({ code }: { code: string | undefined }) {
  const t = useT('signInChanges')
  const isUnknown = code === 'unknown_link'
  return (
    <Note
      kind="unknown"
      title={t(isUnknown ? 'unknown' : 'failed')}
      action={isUnknown && <ButtonLink to="/support">{t('support')}</ButtonLink>}
    >
      <p>{t(isUnknown ? 'unknown_text' : 'failed_text')}</p>
    </Note>
  )
}
