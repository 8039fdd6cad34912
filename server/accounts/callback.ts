import type { Hono } from 'hono'
import { isAppError } from '#server/http/failure.ts'
import type { Router } from '#server/http/router.ts'
import { callerOf, type Session } from '#server/http/session.ts'
import type { Log } from '#server/log.ts'
import { finishGoogle, startGoogle } from '#shared/accounts/sign-in-methods.ts'
import { present } from '#shared/assert.ts'

const BROUGHT = Object.keys(finishGoogle.body.shape)

/** The two routes of Google sign-in that a browser visits: the redirect to Google, and the callback. */
export function registerGoogleCallback(
  app: Hono,
  deps: { router: Router; sessionOf: (request: Request) => Session | Promise<Session>; log: Log },
) {
  // A link, because a form must not submit to another site (content security policy, form-action).
  app.get('/auth/google', (c) => {
    const returnTo = c.req.query('returnTo')?.slice(0, 500)
    // Linking a sign-in method may only start on a page of the portal.
    const link = c.req.query('link') === '1' && c.req.header('sec-fetch-site') === 'same-origin'
    return answer(c.req.raw, startGoogle.key, { link, ...(returnTo ? { returnTo } : {}) })
  })
  app.get('/auth/callback', (c) => {
    const params = BROUGHT.map((name) => [name, c.req.query(name)]).filter(([, value]) => value !== undefined)
    return answer(c.req.raw, finishGoogle.key, Object.fromEntries(params))
  })

  async function answer(request: Request, key: string, body: object): Promise<Response> {
    const caller = { ...callerOf(await deps.sessionOf(request)), headers: request.headers }
    let to: string
    try {
      const { url, next } = (await deps.router.call(caller, key, { body })) as { url?: string; next?: string }
      to = url ?? present(next, 'the next page')
    } catch (error) {
      const isStart = key === startGoogle.key
      if (!isAppError(error)) deps.log.error({ reason: (error as Error).message }, 'a sign-in with Google broke off')
      const code = isAppError(error) ? error.code : isStart ? 'google_start' : 'google_processing'
      to = `/login?${new URLSearchParams({ error: 'google', reason: code })}`
    }
    const headers = new Headers({ location: to, 'cache-control': 'no-store' })
    for (const cookie of caller.cookies) headers.append('set-cookie', cookie)
    return new Response(null, { status: 303, headers })
  }
}
