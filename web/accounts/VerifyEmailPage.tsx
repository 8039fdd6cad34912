import { verify } from '#shared/accounts/endpoints.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/VerifyEmailPage'
import { TokenStep } from './TokenStep.tsx'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get('token') ?? '',
})

export const action = formAction(
  async (call, { text }) => (await call(verify, { body: { type: 'signup', token: text('token') } })).next,
  { returned: [] },
)

export default function VerifyEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  return (
    <TokenStep
      title={t('verify_title')}
      text={t('verify_text')}
      button={t('verify_button')}
      token={loaderData.token}
      error={actionData?.error}
      again={{ to: '/login', label: t('to_sign_in') }}
    />
  )
}
