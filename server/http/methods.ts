import type { MiddlewareHandler } from 'hono'
import { AppError } from '#shared/errors.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A 405 with the methods the path allows. */
export const methodNotAllowed = (allowed: readonly string[]): AppError =>
  new AppError(405, 'method_not_allowed', 'This address does not support this method.', {
    headers: { allow: allowed.join(', ') },
  })

/** Refuses unknown methods before anything else is checked. */
export const onlyKnownMethods: MiddlewareHandler = async (c, next) => {
  if (!METHODS.includes(c.req.method)) throw methodNotAllowed(METHODS)
  await next()
}

/** The same for CONNECT, which Node passes on as a raw connection. */
export const CONNECT_REFUSAL = `HTTP/1.1 405 Method Not Allowed\r\nallow: ${METHODS.join(', ')}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`
