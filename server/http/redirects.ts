import type { Hono } from 'hono'

/** URLs that the specification names besides the canonical ones (C-01, C-02, C-05, C-06, C-09). */
const REDIRECTS: Record<string, string> = {
  '/privacy': '/privacy-policy',
  '/pdos-registration': '/pdos-register',
  '/find-churches': '/church-locator',
  '/internal/profile': '/dashboard/profile',
  '/internal/admin/users': '/admin/users',
  '/internal/admin/roles': '/admin/roles',
  '/internal/admin/travel-advisories': '/admin/travel-advisories',
  '/internal/admin/settings': '/admin/settings',
  '/internal/admin/analytics': '/admin/analytics',
  '/admin/brethren-monitoring': '/admin/overseas-brethren',
  '/traveler': '/dashboard',
  '/traveler/dashboard': '/dashboard',
  '/traveler/inquiries': '/dashboard/inquiries',
  '/traveler/pdos-applications': '/dashboard/pdos',
  '/traveler/profile': '/dashboard/profile',
}

/** Redirects old and alternative URLs to the canonical one, keeping the query. */
export function redirects(app: Hono) {
  for (const [from, to] of Object.entries(REDIRECTS))
    app.get(from, (c) => c.redirect(`${to}${new URL(c.req.url).search}`, 308))
  for (const wildcard of ['/app', '/app/*', '/internal', '/internal/*'])
    app.get(wildcard, (c) => c.redirect('/admin', 302))
  // One URL per page: React Router would serve both.
  app.get('*', async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    // Never redirects to '//host': a path of several slashes collapses to one.
    if (pathname.length > 1 && pathname.endsWith('/'))
      return c.redirect(`/${pathname.replace(/^\/+|\/+$/g, '')}${search}`, 308)
    return next()
  })
}
