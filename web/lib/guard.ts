import { type MiddlewareFunction, redirect } from 'react-router'
import { accessOfPage } from '#shared/page-access.ts'
import { dashboardOf, mayPass } from '#shared/roles.ts'
import { visitorOf } from './visitor.ts'

/**
 * Lets a page be made only for those who may see it; runs on the server before any loader of the page. Every endpoint
 * behind the page asks for itself again.
 */
export const guard: MiddlewareFunction<Response> = async ({ request, context, params }, next) => {
  const url = new URL(request.url)
  const pathname = url.pathname.replace(/\.data$/, '')
  // A page that does not exist is said to be missing, to everybody who has the menu around it.
  const isMissing = params['*'] !== undefined && pathname.toLowerCase().startsWith('/admin/')
  const access = isMissing ? 'searchAdmin' : accessOfPage(pathname)
  if (access === 'anyone') return next()
  const { user, waiting, ended } = visitorOf(context)
  if (mayPass(access, user?.role ?? null, waiting !== null)) return next()
  if (ended === 'unknown')
    throw new Response('Authentication service unavailable - please refresh the page', { status: 503 })
  // Which parts of a page its scripts ask for is not where somebody wanted to go.
  url.searchParams.delete('_routes')
  const here = new URLSearchParams({ returnTo: `${pathname}${url.search}` })
  if (user) {
    // The administrator's own counterpart of the coordinator's page (C-14).
    if (pathname === '/admin/coordinator' && user.role === 'admin') throw redirect(dashboardOf('admin'))
    throw redirect('/unauthorized')
  }
  if (waiting) throw redirect(`/two-step?${here}`)
  if (ended) here.set('ended', ended)
  throw redirect(`/login?${here}`)
}
