import { data, type RouterContextProvider, redirect } from 'react-router'
import { listProviders, signOut } from '#shared/accounts/endpoints.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf, type Role } from '#shared/roles.ts'
import { api, type Failure, visitorOf } from '../lib/visitor.ts'
import { withReturnTo } from './withReturnTo.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** What every page of the way in needs to know; who is in already is taken to where they want to go. */
export async function entrance(context: Context, request: Request) {
  const { user, waiting, ended } = visitorOf(context)
  const asked = new URL(request.url).searchParams
  const returnTo = safeReturnTo(asked.get('returnTo'))
  // Somebody who is in came back from adding Google to their account.
  if (user && asked.has('error')) throw redirect(`${accountOf(user.role)}?error=${asked.get('reason') ?? 'google'}`)
  if (user) throw redirect(returnTo ?? dashboardOf(user.role))
  if (waiting) throw redirect(withReturnTo('/two-step', returnTo))
  // The cookie of a session that is over is of no more use.
  if (ended === 'expired' || ended === 'suspended') await api(context)(signOut, { body: { scope: 'local' } })
  const { google, hub, phone } = await api(context)(listProviders)
  const why = ended ?? asked.get('reason') ?? asked.get('ended') ?? asked.get('error')
  return { ways: { google, hub, phone }, returnTo, why, cameBack: asked.has('error') }
}
export type Entrance = Awaited<ReturnType<typeof entrance>>

const accountOf = (role: Role) => (dashboardOf(role) === '/dashboard' ? '/dashboard/profile' : '/admin/account')

/** What was typed into a form, each as text. */
export async function typed(request: Request) {
  const form = await request.formData()
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { text, returnTo: safeReturnTo(text('returnTo')) ?? undefined }
}

/** A form that failed, with what is to stand in its fields again. Never give a password. */
export const failed = <V extends object>(failure: Failure, values: V) =>
  data({ failure, ...values }, { status: failure.status })

/** What somebody signs in with: a phone number, or else an email address. */
export function identifierOf(given: string): { email: string } | { phone: string } {
  const text = given.trim()
  return /^\+?[\d\s()./-]{6,}$/.test(text) ? { phone: text } : { email: text }
}

/** A code as people type it: "123 456". */
export const digitsOf = (given: string) => given.replace(/[\s-]/g, '')
