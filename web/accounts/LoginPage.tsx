import { Link, redirect } from 'react-router'
import { resend, signIn } from '#shared/accounts/endpoints.ts'
import { useT } from '../lib/i18n.tsx'
import { attempt } from '../lib/visitor.ts'
import type { RouteHandle } from '../root.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import type { Route } from './+types/LoginPage'
import { ArrivalNote } from './ArrivalNote.tsx'
import { Entrance, IdentifierField } from './Entrance.tsx'
import { entrance, failed, identifierOf, typed } from './entrance.server.ts'
import { PasswordField } from './PasswordField.tsx'
import { ResendButton, ResendForm } from './Resend.tsx'
import { Told } from './Told.tsx'
import { WaysIn } from './WaysIn.tsx'
import { withReturnTo } from './withReturnTo.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ context, request }: Route.LoaderArgs) => entrance(context, request)

export async function action({ context, request }: Route.ActionArgs) {
  const { text, returnTo } = await typed(request)
  const identifier = text('identifier')
  if (text('intent') === 'resend') {
    const { done, failure } = await attempt(context, (call) => call(resend, { body: { email: identifier } }))
    return failure ? failed(failure, { identifier }) : { identifier, told: done.message }
  }
  const body = { ...identifierOf(identifier), password: text('password'), returnTo }
  const { done, failure } = await attempt(context, (call) => call(signIn, { body }))
  if (failure) return failed(failure, { identifier })
  throw redirect(done.next)
}

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const { returnTo, ways } = loaderData
  const failure = actionData && 'failure' in actionData ? actionData.failure : undefined
  const told = actionData && 'told' in actionData ? actionData.told : undefined
  const problem = useProblems(failure)
  return (
    <Entrance title={t('sign_in')}>
      {told && <Told text={told} />}
      {!told && !failure && <ArrivalNote why={loaderData.why} cameBack={loaderData.cameBack} />}
      <Form isGuarded={false} failure={failure} remedy={failure?.code === 'email_not_verified' && <ResendButton />}>
        <input type="hidden" name="returnTo" value={returnTo ?? ''} />
        <IdentifierField
          label={t('identifier')}
          name="identifier"
          inputMode="email"
          defaultValue={actionData?.identifier}
          error={problem('email') ?? problem('phone')}
        />
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          error={problem('password') ?? (failure?.code === 'invalid_credentials' && t('check_password'))}
          help={<Link to={withReturnTo('/forgot-password', returnTo)}>{t('forgot_password')}</Link>}
        />
        <Submit busyLabel={t('signing_in')}>{t('sign_in')}</Submit>
      </Form>
      <ResendForm email={actionData?.identifier} />
      <WaysIn ways={ways} returnTo={returnTo} />
      <p>
        {t('no_account_yet')} <Link to={withReturnTo('/signup', returnTo)}>{t('create_account')}</Link>
      </p>
    </Entrance>
  )
}
