import { redirect } from 'react-router'
import { verify } from '#shared/accounts/endpoints.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/SignInLinkPage'
import { failed, readForm } from './auth-page.server.ts'
import { TokenStep } from './TokenStep.tsx'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get('token') ?? '',
})

export async function action({ context, request }: Route.ActionArgs) {
  const { text } = await readForm(request)
  const returnTo = safeReturnTo(new URL(request.url).searchParams.get('returnTo')) ?? undefined
  const { done, error } = await attempt(context, (call) =>
    call(verify, { body: { type: 'magiclink', token: text('token'), returnTo } }),
  )
  if (error) return failed(error, {})
  throw redirect(done.next)
}

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
