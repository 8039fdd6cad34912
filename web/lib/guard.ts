import { type MiddlewareFunction, redirect } from 'react-router'
import { accessOfPage } from '#shared/page-access.ts'
import { dashboardOf, mayPass } from '#shared/roles.ts'
import { visitorOf } from './visitor.ts'

/** Page access check; runs on the server before any loader. Every endpoint behind the page checks again. */
export const guard: MiddlewareFunction<Response> = async ({ request, context, params }, next) => {
  const url = new URL(request.url)
  const pathname = url.pathname.replace(/\.data$/, '')
  // A page that does not exist is reported as missing to every role with the admin menu.
  const isMissing = params['*'] !== undefined && pathname.toLowerCase().startsWith('/admin/')
  const access = isMissing ? 'searchAdmin' : accessOfPage(pathname)
  if (access === 'anyone') return next()
  const { user, waiting, ended } = visitorOf(context)
  if (mayPass(access, user?.role ?? null, waiting !== null)) return next()
  if (ended === 'unknown')
    throw new Response('Authentication service unavailable - please refresh the page', { status: 503 })
  // Internal parameter of data requests, not part of the return address.
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
