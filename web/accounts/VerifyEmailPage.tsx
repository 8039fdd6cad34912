import { redirect } from 'react-router'
import { verify } from '#shared/accounts/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/VerifyEmailPage'
import { failed, readForm } from './auth-page.server.ts'
import { TokenStep } from './TokenStep.tsx'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get('token') ?? '',
})

export async function action({ context, request }: Route.ActionArgs) {
  const { text } = await readForm(request)
  const token = text('token')
  const { done, error } = await attempt(context, (call) => call(verify, { body: { type: 'signup', token } }))
  if (error) return failed(error, {})
  throw redirect(done.next)
}

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
