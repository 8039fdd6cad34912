import { Link } from 'react-router'
import { recover } from '#shared/accounts/endpoints.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { Route } from './+types/ForgotPasswordPage'
import { Address } from './Address.tsx'
import { IdentifierField, Step } from './AuthCard.tsx'
import { loadAuthPage } from './auth-page.server.ts'
import { ServerMessage } from './ServerMessage.tsx'
import { withReturnTo } from './with-return-to.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ context, request }: Route.LoaderArgs) => loadAuthPage(context, request)

export const action = formAction<{ message: string }>(
  async (call, { text }) => ({ message: (await call(recover, { body: { email: text('email') } })).message }),
  { returned: ['email'] },
)

export default function ForgotPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const { error, message, values } = actionData ?? {}
  const problem = useProblems(error)
  return (
    <Step title={t('forgot_title')}>
      {message ? (
        <>
          <ServerMessage text={message} />
          <p>
            {t('sent_to')} <Address>{values?.email ?? ''}</Address>
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
          defaultValue={values?.email}
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
