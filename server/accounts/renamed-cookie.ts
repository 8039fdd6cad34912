import type { MiddlewareHandler } from 'hono'
import { SESSION_SECONDS } from './auth.ts'
import { renamedCookie } from './session-cookie.ts'

/** Replaces the session cookie of browsers that signed in before it was renamed, so that nobody is signed out. */
export function renamesCookie(publicUrl: string): MiddlewareHandler {
  const isSecure = publicUrl.startsWith('https:')
  return async (c, next) => {
    await next()
    // Signing in or out has already set it.
    if (c.res.headers.has('set-cookie')) return
    for (const line of renamedCookie(c.req.raw.headers, isSecure, SESSION_SECONDS.traveler))
      c.res.headers.append('set-cookie', line)
  }
}
