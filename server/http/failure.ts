import { randomInt } from 'node:crypto'
import type { ErrorBody } from '#shared/errors.ts'
import { AppError } from '#shared/errors.ts'
import type { Log } from '../log.ts'
import { type Written, writtenJson } from './written.ts'

/** What a failure looks like from outside; anything not expected is logged under an id and says nothing more. */
export function failureOf(
  error: unknown,
  log: Log,
): { status: number; body: ErrorBody; headers: Record<string, string> } {
  if (isAppError(error))
    return {
      status: error.status,
      body: {
        success: false,
        error: error.message,
        code: error.code,
        ...(error.fields ? { fields: error.fields } : {}),
      },
      headers: error.headers ?? {},
    }
  if (isDatabaseAway(error)) {
    log.warn({ reason: (error as Error).message }, 'database does not answer')
    return {
      status: 503,
      body: {
        success: false,
        error: 'The database does not answer. Nothing was saved. Please try again in a moment.',
        code: 'unavailable',
      },
      headers: { 'retry-after': '2' },
    }
  }
  const id = errorId()
  log.error({ id, err: error }, 'unexpected error')
  return {
    status: 500,
    body: { success: false, error: `An unexpected error occurred. Please quote ${id}.`, code: 'unexpected', id },
    headers: {},
  }
}

/** The same as an answer in JSON. */
export function writtenFailure(error: unknown, log: Log): Written {
  const { status, body, headers } = failureOf(error, log)
  return writtenJson(status, Buffer.from(JSON.stringify(body)), { ...headers, 'cache-control': 'no-store' })
}

/** Something a person can read out over the telephone: E-7Q2K-0931. */
function errorId(): string {
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  const part = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return `E-${part()}-${part()}`
}

/** By its shape: the page bundle carries its own copy of the class. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof AppError ||
  (error instanceof Error && error.name === 'AppError' && 'status' in error && 'code' in error)

// 57014 statement time-out, 57P0x shutting down or starting, 53300 too many connections, 08xxx connection, 25P03 idle.
const AWAY =
  /^(57014|57P0\d|53300|08\w{3}|25P0[34]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** True when the database is slow, away or full: the caller may try again, nothing was written. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && AWAY.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
    error.message,
  )
}
