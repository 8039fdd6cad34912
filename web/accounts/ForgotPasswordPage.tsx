import { Link } from 'react-router'
import { recover } from '#shared/accounts/endpoints.ts'
import { useT } from '../lib/i18n.tsx'
import { attempt } from '../lib/visitor.ts'
import type { RouteHandle } from '../root.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import type { Route } from './+types/ForgotPasswordPage'
import { Address } from './Address.tsx'
import { IdentifierField, Step } from './Entrance.tsx'
import { entrance, failed, typed } from './entrance.server.ts'
import { Told } from './Told.tsx'
import { withReturnTo } from './withReturnTo.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ context, request }: Route.LoaderArgs) => entrance(context, request)

export async function action({ context, request }: Route.ActionArgs) {
  const { text } = await typed(request)
  const email = text('email')
  const { done, failure } = await attempt(context, (call) => call(recover, { body: { email } }))
  return failure ? failed(failure, { email }) : { email, told: done.message }
}

export default function ForgotPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const failure = actionData && 'failure' in actionData ? actionData.failure : undefined
  const problem = useProblems(failure)
  return (
    <Step title={t('forgot_title')}>
      {actionData && 'told' in actionData ? (
        <>
          <Told text={actionData.told} />
          <p>
            {t('sent_to')} <Address>{actionData.email}</Address>
          </p>
        </>
      ) : (
        <p>{t('forgot_text')}</p>
      )}
      <Form isGuarded={false} failure={failure}>
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
