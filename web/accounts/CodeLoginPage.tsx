import { Link, redirect } from 'react-router'
import { sendOtp, verify } from '#shared/accounts/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt, type CallEndpoint } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { Route } from './+types/CodeLoginPage'
import { Address } from './Address.tsx'
import { AuthCard, IdentifierField, Step } from './AuthCard.tsx'
import { digitsOf, failed, identifierOf, loadAuthPage, readForm } from './auth-page.server.ts'
import { ServerMessage } from './ServerMessage.tsx'
import { withReturnTo } from './with-return-to.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ context, request }: Route.LoaderArgs) => loadAuthPage(context, request)

export async function action({ context, request }: Route.ActionArgs) {
  const { text, returnTo } = await readForm(request)
  const identifier = text('identifier')
  const kind: 'code' | 'link' = text('kind') === 'link' ? 'link' : 'code'
  if (text('intent') === 'enter') {
    const { done, error } = await attempt(context, (call) =>
      verifyCode(call, identifier, digitsOf(text('code')), returnTo),
    )
    if (error) return failed(error, { identifier, kind, step: 'enter' as const })
    throw redirect(done.next)
  }
  const { done, error } = await attempt(context, (call) =>
    call(sendOtp, { body: { ...identifierOf(identifier), kind } }),
  )
  if (error) return failed(error, { identifier, kind, step: 'ask' as const })
  return { identifier, kind, step: 'enter' as const, message: done.message }
}

function verifyCode(call: CallEndpoint, identifier: string, code: string, returnTo: string | undefined) {
  const who = identifierOf(identifier)
  return 'email' in who
    ? call(verify, { body: { type: 'email', ...who, code, returnTo } })
    : call(verify, { body: { type: 'sms', ...who, code, returnTo } })
}

export default function CodeLoginPage({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData?.step === 'enter') return <EnterCode {...actionData} returnTo={loaderData.returnTo} />
  return <AskForCode loaderData={loaderData} actionData={actionData} />
}

type ActionData = NonNullable<Route.ComponentProps['actionData']>

function AskForCode({
  loaderData: { providers, returnTo },
  actionData,
}: Pick<Route.ComponentProps, 'loaderData'> & { actionData: ActionData | undefined }) {
  const t = useT('accounts')
  const error = actionData && 'error' in actionData ? actionData.error : undefined
  const problem = useProblems(error)
  return (
    <AuthCard title={t('code_title')}>
      <p>{t('code_text')}</p>
      <Form isGuarded={false} error={error}>
        <input type="hidden" name="returnTo" value={returnTo ?? ''} />
        <IdentifierField
          label={t(providers.phone ? 'identifier' : 'email')}
          hint={providers.phone && t('code_phone_hint')}
          name="identifier"
          inputMode="email"
          defaultValue={actionData?.identifier}
          error={problem('email') ?? problem('phone')}
        />
        <Submit name="kind" value="code" busyLabel={t('sending')}>
          {t('send_code')}
        </Submit>
        <Submit look="secondary" name="kind" value="link">
          {t('send_link')}
        </Submit>
      </Form>
      <p>
        <Link to={withReturnTo('/login', returnTo)}>{t('other_method')}</Link>
      </p>
    </AuthCard>
  )
}

function EnterCode({ identifier, kind, returnTo, ...rest }: ActionData & { returnTo: string | null }) {
  const t = useT('accounts')
  const error = 'error' in rest ? rest.error : undefined
  const problem = useProblems(error)
  return (
    <Step title={t(kind === 'link' ? 'look_into_mail' : 'enter_code')}>
      {'message' in rest && <ServerMessage text={rest.message} />}
      <p>
        {t('sent_to')} <Address>{identifier}</Address>
      </p>
      {kind === 'link' ? (
        <p>{t('link_minutes')}</p>
      ) : (
        <Form isGuarded={false} error={error}>
          <input type="hidden" name="intent" value="enter" />
          <input type="hidden" name="identifier" value={identifier} />
          <input type="hidden" name="returnTo" value={returnTo ?? ''} />
          <TextField
            label={t('code')}
            hint={t('code_minutes')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            required
            maxLength={12}
            error={problem('code')}
          />
          <Submit busyLabel={t('signing_in')}>{t('sign_in')}</Submit>
        </Form>
      )}
      <Form>
        <input type="hidden" name="identifier" value={identifier} />
        <input type="hidden" name="returnTo" value={returnTo ?? ''} />
        <Submit look="secondary" name="kind" value={kind} busyLabel={t('sending')}>
          {t('send_again')}
        </Submit>
      </Form>
      <p>
        <Link to={withReturnTo('/login', returnTo)}>{t('other_method')}</Link>
      </p>
    </Step>
  )
}
