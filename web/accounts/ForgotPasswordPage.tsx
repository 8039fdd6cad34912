import { Link } from 'react-router'
import { recover } from '#shared/accounts/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { Route } from './+types/ForgotPasswordPage'
import { Address } from './Address.tsx'
import { IdentifierField, Step } from './AuthCard.tsx'
import { failed, loadAuthPage, readForm } from './auth-page.server.ts'
import { ServerMessage } from './ServerMessage.tsx'
import { withReturnTo } from './with-return-to.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ context, request }: Route.LoaderArgs) => loadAuthPage(context, request)

export async function action({ context, request }: Route.ActionArgs) {
  const { text } = await readForm(request)
  const email = text('email')
  const { done, error } = await attempt(context, (call) => call(recover, { body: { email } }))
  return error ? failed(error, { email }) : { email, message: done.message }
}

export default function ForgotPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const error = actionData && 'error' in actionData ? actionData.error : undefined
  const problem = useProblems(error)
  return (
    <Step title={t('forgot_title')}>
      {actionData && 'message' in actionData ? (
        <>
          <ServerMessage text={actionData.message} />
          <p>
            {t('sent_to')} <Address>{actionData.email}</Address>
          </p>
        </>
      ) : (
        <p>{t('forgot_text')}</p>
      )}
      <Form isGuarded={false} error={error}>
        <IdentifierField
          label={t('email')}
          name="email"
          type="email"
          defaultValue={actionData?.email}
          error={problem('email')}
        />
        <Submit busyLabel={t('sending')}>{t('forgot_button')}</Submit>
      </Form>
      <p>
        <Link to={withReturnTo('/login', loaderData.returnTo)}>{t('to_sign_in')}</Link>
      </p>
    </Step>
  )
}
