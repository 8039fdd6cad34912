import type { MiddlewareHandler } from 'hono'
import { SESSION_SECONDS } from './auth.ts'
import { renamedCookie } from './session-cookie.ts'

/** Gives a browser that signed in before the session cookie was renamed the cookie of today, so that nobody is signed out. */
export function renamesCookie(publicUrl: string): MiddlewareHandler {
  const isSecure = publicUrl.startsWith('https:')
  return async (c, next) => {
    await next()
    // Signing in or out has set it already.
    if (c.res.headers.has('set-cookie')) return
    for (const line of renamedCookie(c.req.raw.headers, isSecure, SESSION_SECONDS.traveler))
      c.res.headers.append('set-cookie', line)
  }
}
