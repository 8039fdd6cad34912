import { redirect } from 'react-router'
import { enrolFactor, verifyFactor } from '#shared/accounts/sign-in-methods.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/TwoStepPage'
import { Step } from './AuthCard.tsx'
import { digitsOf, returnToIn } from './auth-page.server.ts'
import { type AuthenticatorEnrolment, Enrolment } from './Enrolment.tsx'
import { GiveCode } from './GiveCode.tsx'
import { SignOutButton } from './SignOutButton.tsx'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export function loader({ context, request }: Route.LoaderArgs) {
  const { waiting, user } = visitorOf(context)
  const returnTo = safeReturnTo(new URL(request.url).searchParams.get('returnTo'))
  if (!waiting) throw redirect(user ? (returnTo ?? dashboardOf(user.role)) : '/login')
  return { returnTo, name: waiting.name, role: waiting.role, owes: waiting.for }
}

export const action = formAction<{ enrolment: AuthenticatorEnrolment | undefined }>(
  {
    enrol: async (call) => ({ enrolment: await call(enrolFactor, { body: {} }) }),
    code: async (call, { text }) => {
      const body = { code: digitsOf(text('code')), returnTo: returnToIn(text) }
      return (await call(verifyFactor, { body })).next
    },
    recover: async (call, { text }) => {
      const body = { recovery_code: text('recovery_code').trim(), returnTo: returnToIn(text) }
      return (await call(verifyFactor, { body })).next
    },
  },
  { returned: [], onError: async (_error, { text }) => ({ enrolment: enrolmentAgain(text) }) },
)

/** After a wrong first code: the same enrolment again, so that the user need not start over. */
function enrolmentAgain(text: (name: string) => string) {
  const secret = text('secret')
  if (!secret) return undefined
  return { uri: '', qr_svg: '', secret, recovery_codes: text('recovery_codes').split('\n') }
}

export default function TwoStepPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  return (
    <Step title={t(loaderData.owes === 'code' ? 'two_step_title' : 'enrol_title')}>
      <p>
        {t('signed_in_as')} <strong dir="auto">{loaderData.name}</strong>
      </p>
      {loaderData.owes === 'code' ? (
        <GiveCode returnTo={loaderData.returnTo} tried={actionData} />
      ) : (
        <Enrolment {...loaderData} tried={actionData} />
      )}
      <SignOutButton look="link" label={t('cancel_sign_in')} />
    </Step>
  )
}
