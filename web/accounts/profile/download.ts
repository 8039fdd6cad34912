import { redirect } from 'react-router'
import { exportOwnData } from '#shared/accounts/own.ts'
import { attempt } from '#web/lib/visitor.ts'
import type { Route } from './+types/download'

/** All personal data as a file; redirects back to the page if re-authentication is required. */
export async function loader({ context }: Route.LoaderArgs) {
  const { done, error } = await attempt(context, (call) => call(exportOwnData))
  if (done instanceof Response) return done
  const reason = error?.code === 'too_many_requests' ? 'often' : 'confirm'
  throw redirect(`/dashboard/profile/my-data?error=${reason}#file`)
}
