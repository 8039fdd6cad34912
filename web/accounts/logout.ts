import { redirect } from 'react-router'
import { signOut } from '#shared/accounts/endpoints.ts'
import { accessOfPage } from '#shared/page-access.ts'
import { api } from '#web/lib/visitor.ts'
import type { Route } from './+types/logout'
import { readForm } from './auth-page.server.ts'

/** Target of a plain form, so that signing out works without scripts. Only POST signs out. */
export async function action({ context, request }: Route.ActionArgs) {
  const { text, returnTo } = await readForm(request)
  await api(context)(signOut, { body: { scope: text('scope') === 'global' ? 'global' : 'local' } })
  const stays = returnTo !== undefined && accessOfPage(returnTo.replace(/[?#].*$/s, '')) === 'anyone'
  throw redirect(stays ? returnTo : '/login?ended=signed-out')
}

export const loader = () => redirect('/')
