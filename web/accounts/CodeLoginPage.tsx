import { Link } from 'react-router'
import { sendOtp, verify } from '#shared/accounts/endpoints.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { Route } from './+types/CodeLoginPage'
import { Address } from './Address.tsx'
import { AuthCard, IdentifierField, Step } from './AuthCard.tsx'
import { digitsOf, identifierOf, loadAuthPage, returnToIn } from './auth-page.server.ts'
import { ServerMessage } from './ServerMessage.tsx'
import { withReturnTo } from './with-return-to.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ context, request }: Route.LoaderArgs) => loadAuthPage(context, request)

export const action = formAction<{ message: string }>(
  async (call, { text }) => {
    const identifier = text('identifier')
    if (text('intent') === 'enter')
      return (await verifyCode(call, identifier, digitsOf(text('code')), returnToIn(text))).next
    const body = { ...identifierOf(identifier), kind: kindOf(text('kind')) }
    return { message: (await call(sendOtp, { body })).message }
  },
  { returned: ['identifier', 'kind'] },
)

const kindOf = (text: string | undefined): 'code' | 'link' => (text === 'link' ? 'link' : 'code')

function verifyCode(call: CallEndpoint, identifier: string, code: string, returnTo: string | undefined) {
  const who = identifierOf(identifier)
  return 'email' in who
    ? call(verify, { body: { type: 'email', ...who, code, returnTo } })
    : call(verify, { body: { type: 'sms', ...who, code, returnTo } })
}

export default function CodeLoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const isSent = actionData?.message !== undefined || actionData?.intent === 'enter'
  if (isSent) return <EnterCode actionData={actionData} returnTo={loaderData.returnTo} />
  return <AskForCode loaderData={loaderData} actionData={actionData} />
}

type ActionData = NonNullable<Route.ComponentProps['actionData']>

function AskForCode({
  loaderData: { providers, returnTo },
  actionData,
}: Pick<Route.ComponentProps, 'loaderData'> & { actionData: ActionData | undefined }) {
  const t = useT('accounts')
  const error = actionData?.error
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
          defaultValue={actionData?.values.identifier}
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

function EnterCode({ actionData, returnTo }: { actionData: ActionData; returnTo: string | null }) {
  const t = useT('accounts')
  const { error, message, values } = actionData
  const identifier = values.identifier ?? ''
  const kind = kindOf(values.kind)
  const problem = useProblems(error)
  return (
    <Step title={t(kind === 'link' ? 'look_into_mail' : 'enter_code')}>
      {message && <ServerMessage text={message} />}
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
