import { data } from 'react-router'
import { authorizeProgram, ProgramRequest } from '#shared/accounts/program-sign-in.ts'
import { AppError } from '#shared/errors.ts'
import { dashboardOf } from '#shared/roles.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/AuthorizePage'
import { Step } from './AuthCard.tsx'
import styles from './UnauthorizedPage.module.css'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

/** The program's request in the URL; undefined if it is incomplete. */
function requestIn(url: string) {
  const params = new URL(url).searchParams
  return ProgramRequest.safeParse({
    code_challenge: params.get('code_challenge'),
    code_challenge_method: params.get('code_challenge_method') ?? undefined,
    redirect_uri: params.get('redirect_uri'),
    state: params.get('state') ?? undefined,
  }).data
}

export function loader({ context, request }: Route.LoaderArgs) {
  const { user } = visitorOf(context)
  const program = requestIn(request.url)
  const address = program ? new URL(program.redirect_uri).host : null
  return data({ name: user?.name ?? '', address, home: user ? dashboardOf(user.role) : '/' }, program ? 200 : 400)
}

export const action = formAction<{ redirectTo: string }>(async (call, { request }) => {
  const program = requestIn(request.url)
  // The page says what is missing.
  if (!program) throw new AppError(400, 'invalid_input', 'The request of the program is incomplete.')
  return { redirectTo: (await call(authorizeProgram, { body: program })).redirect_to }
})

/**
 * Asks whether a program on this device may sign in. The code is passed on by a link: a form must not submit to another
 * address (content security policy, form-action).
 */
export default function AuthorizePage({ loaderData: { name, address, home }, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  if (!address)
    return (
      <Step title={t('authorize_title')}>
        <Note kind="error" title={t('authorize_incomplete')}>
          <p>{t('authorize_incomplete_text')}</p>
        </Note>
      </Step>
    )
  if (actionData?.redirectTo)
    return (
      <Step title={t('authorized_button')}>
        <Note kind="success" title={t('authorized')} isLive>
          <p>{t('authorized_text')}</p>
        </Note>
        <div className={styles.methods}>
          <ButtonLink look="primary" to={actionData.redirectTo}>
            {t('authorized_button')}
          </ButtonLink>
        </div>
      </Step>
    )
  return (
    <Step title={t('authorize_title')}>
      <p>
        {t('authorize_text', { address: `\u2068${address}\u2069` })} <strong dir="auto">{name}</strong>
      </p>
      <Note title={t('authorize_warning')}>
        <p>{t('authorize_warning_text')}</p>
      </Note>
      <Form isGuarded={false} error={actionData?.error}>
        <div className={styles.methods}>
          <Submit busyLabel={t('authorizing')}>{t('authorize_button')}</Submit>
          <ButtonLink to={home}>{t('authorize_cancel')}</ButtonLink>
        </div>
      </Form>
    </Step>
  )
}
