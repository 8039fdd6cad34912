import { Link } from 'react-router'
import { resend, signIn } from '#shared/accounts/endpoints.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { Route } from './+types/LoginPage'
import { ArrivalNote } from './ArrivalNote.tsx'
import { AuthCard, IdentifierField } from './AuthCard.tsx'
import { identifierOf, loadAuthPage, returnToIn } from './auth-page.server.ts'
import { OtherSignInMethods } from './OtherSignInMethods.tsx'
import { PasswordField } from './PasswordField.tsx'
import { ResendButton, ResendForm } from './Resend.tsx'
import { ServerMessage } from './ServerMessage.tsx'
import { withReturnTo } from './with-return-to.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ context, request }: Route.LoaderArgs) => loadAuthPage(context, request)

export const action = formAction<{ message: string }>(
  async (call, { text }) => {
    const identifier = text('identifier')
    if (text('intent') === 'resend') return { message: (await call(resend, { body: { email: identifier } })).message }
    const body = { ...identifierOf(identifier), password: text('password'), returnTo: returnToIn(text) }
    return (await call(signIn, { body })).next
  },
  { returned: ['identifier'] },
)

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const { returnTo, providers } = loaderData
  const { error, message, values } = actionData ?? {}
  const problem = useProblems(error)
  return (
    <AuthCard title={t('sign_in')}>
      {message && <ServerMessage text={message} />}
      {!message && !error && <ArrivalNote why={loaderData.why} cameBack={loaderData.cameBack} />}
      <Form isGuarded={false} error={error} remedy={error?.code === 'email_not_verified' && <ResendButton />}>
        <input type="hidden" name="returnTo" value={returnTo ?? ''} />
        <IdentifierField
          label={t('identifier')}
          name="identifier"
          inputMode="email"
          defaultValue={values?.identifier}
          error={problem('email') ?? problem('phone')}
        />
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          error={problem('password') ?? (error?.code === 'invalid_credentials' && t('check_password'))}
          help={<Link to={withReturnTo('/forgot-password', returnTo)}>{t('forgot_password')}</Link>}
        />
        <Submit busyLabel={t('signing_in')}>{t('sign_in')}</Submit>
      </Form>
      <ResendForm email={values?.identifier} />
      <OtherSignInMethods providers={providers} returnTo={returnTo} />
      <p>
        {t('no_account_yet')} <Link to={withReturnTo('/signup', returnTo)}>{t('create_account')}</Link>
      </p>
    </AuthCard>
  )
}
