import { verify } from '#shared/accounts/endpoints.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/SignInLinkPage'
import { TokenStep } from './TokenStep.tsx'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get('token') ?? '',
})

export const action = formAction(
  async (call, { text, request }) => {
    const returnTo = safeReturnTo(new URL(request.url).searchParams.get('returnTo')) ?? undefined
    return (await call(verify, { body: { type: 'magiclink', token: text('token'), returnTo } })).next
  },
  { returned: [] },
)

export default function SignInLinkPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  return (
    <TokenStep
      title={t('link_title')}
      text={t('link_text')}
      button={t('sign_in')}
      token={loaderData.token}
      error={actionData?.error}
      again={{ to: '/login/code', label: t('new_link') }}
    />
  )
}
