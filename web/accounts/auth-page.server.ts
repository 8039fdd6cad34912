import { type RouterContextProvider, redirect } from 'react-router'
import { listProviders, signOut } from '#shared/accounts/endpoints.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import { withReturnTo } from './with-return-to.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** Data shared by all sign-in pages. Redirects a user who is already signed in. */
export async function loadAuthPage(context: Context, request: Request) {
  const { user, waiting, ended } = visitorOf(context)
  const params = new URL(request.url).searchParams
  const returnTo = safeReturnTo(params.get('returnTo'))
  // A signed-in user returning from linking Google to their account.
  if (user && params.has('error'))
    throw redirect(`/dashboard/profile/sign-in?error=${encodeURIComponent(params.get('reason') ?? 'google')}`)
  if (user) throw redirect(returnTo ?? dashboardOf(user.role))
  if (waiting) throw redirect(withReturnTo('/two-step', returnTo))
  // The cookie of an ended session is useless.
  if (ended === 'expired' || ended === 'suspended') await api(context)(signOut, { body: { scope: 'local' } })
  const { google, hub, phone } = await api(context)(listProviders)
  const why = ended ?? params.get('reason') ?? params.get('ended') ?? params.get('error')
  return { providers: { google, hub, phone }, returnTo, why, cameBack: params.has('error') }
}
export type AuthPageData = Awaited<ReturnType<typeof loadAuthPage>>

/** Where a form says to go after signing in, if that is a page of the portal. */
export const returnToIn = (text: (name: string) => string) => safeReturnTo(text('returnTo')) ?? undefined

/** A sign-in identifier: a phone number if it looks like one, otherwise an email address. */
export function identifierOf(input: string): { email: string } | { phone: string } {
  const text = input.trim()
  return /^\+?[\d\s()./-]{6,}$/.test(text) ? { phone: text } : { email: text }
}

/** Accepts a code with spaces or hyphens: "123 456". */
export const digitsOf = (input: string) => input.replace(/[\s-]/g, '')
