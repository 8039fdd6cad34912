import { redirect } from 'react-router'
import { startGoogle } from '#shared/accounts/sign-in-methods.ts'
import { attempt } from '#web/lib/visitor.ts'
import type { Route } from './+types/link-google'

/** Redirects to Google. A link, not a form: the content security policy forbids a form to redirect to another site. */
export async function loader({ context }: Route.LoaderArgs) {
  const body = { returnTo: '/dashboard/profile/sign-in?done=linked#methods', link: true }
  const { done } = await attempt(context, (call) => call(startGoogle, { body }))
  throw redirect(done?.url ?? '/dashboard/profile/sign-in?error=google_start')
}
