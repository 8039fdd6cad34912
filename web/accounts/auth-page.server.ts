import { data, type RouterContextProvider, redirect } from 'react-router'
import { listProviders, signOut } from '#shared/accounts/endpoints.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf, type Role } from '#shared/roles.ts'
import { api, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { withReturnTo } from './with-return-to.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** What every page of the way in needs to know; who is in already is taken to where they want to go. */
export async function loadAuthPage(context: Context, request: Request) {
  const { user, waiting, ended } = visitorOf(context)
  const params = new URL(request.url).searchParams
  const returnTo = safeReturnTo(params.get('returnTo'))
  // Somebody who is in came back from adding Google to their account.
  if (user && params.has('error')) throw redirect(`${accountOf(user.role)}?error=${params.get('reason') ?? 'google'}`)
  if (user) throw redirect(returnTo ?? dashboardOf(user.role))
  if (waiting) throw redirect(withReturnTo('/two-step', returnTo))
  // The cookie of a session that is over is of no more use.
  if (ended === 'expired' || ended === 'suspended') await api(context)(signOut, { body: { scope: 'local' } })
  const { google, hub, phone } = await api(context)(listProviders)
  const why = ended ?? params.get('reason') ?? params.get('ended') ?? params.get('error')
  return { providers: { google, hub, phone }, returnTo, why, cameBack: params.has('error') }
}
export type AuthPageData = Awaited<ReturnType<typeof loadAuthPage>>

const accountOf = (role: Role) => (dashboardOf(role) === '/dashboard' ? '/dashboard/profile' : '/admin/account')

/** What was typed into a form, each as text. */
export async function readForm(request: Request) {
  const form = await request.formData()
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { text, returnTo: safeReturnTo(text('returnTo')) ?? undefined }
}

/** A form that failed, with what is to stand in its fields again. Never give a password. */
export const failed = <V extends object>(error: FormError, values: V) =>
  data({ error, ...values }, { status: error.status })

/** What somebody signs in with: a phone number, or else an email address. */
export function identifierOf(input: string): { email: string } | { phone: string } {
  const text = input.trim()
  return /^\+?[\d\s()./-]{6,}$/.test(text) ? { phone: text } : { email: text }
}

/** A code as people type it: "123 456". */
export const digitsOf = (input: string) => input.replace(/[\s-]/g, '')
