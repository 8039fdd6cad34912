import { redirect } from 'react-router'
import { startGoogle } from '#shared/accounts/sign-in-methods.ts'
import { attempt } from '#web/lib/visitor.ts'
import type { Route } from './+types/link-google'

/** Leads to Google. A link and not a form: the answer to a form may not lead to another site. */
export async function loader({ context }: Route.LoaderArgs) {
  const body = { returnTo: '/dashboard/profile/sign-in?done=linked#ways', link: true }
  const { done } = await attempt(context, (call) => call(startGoogle, { body }))
  throw redirect(done?.url ?? '/dashboard/profile/sign-in?error=google_start#ways')
}
