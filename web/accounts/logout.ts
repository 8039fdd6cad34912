import { redirect } from 'react-router'
import { signOut } from '#shared/accounts/endpoints.ts'
import { accessOfPage, safeReturnTo } from '#shared/page-access.ts'
import { api } from '#web/lib/visitor.ts'
import type { Route } from './+types/logout'

/**
 * Target of a plain form, so that signing out works without scripts. Only POST signs out. No `formAction`: there is no
 * page that could show an error beside its form.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData()
  const returnTo = safeReturnTo(String(form.get('returnTo') ?? ''))
  await api(context)(signOut, { body: { scope: form.get('scope') === 'global' ? 'global' : 'local' } })
  const stays = returnTo !== null && accessOfPage(returnTo.replace(/[?#].*$/s, '')) === 'anyone'
  throw redirect(stays ? returnTo : '/login?ended=signed-out')
}

export const loader = () => redirect('/')
