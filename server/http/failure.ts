import { randomInt } from 'node:crypto'
import { isDatabaseAway } from '#server/db/availability.ts'
import type { Log } from '#server/log.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { AppError } from '#shared/errors.ts'
import { type BufferedResponse, bufferedJson } from './buffered-response.ts'

/** Maps an error to its public form; unexpected ones are logged under an id and reveal nothing more. */
export function errorResponseOf(
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
  const fields = RULES[(error as { constraint?: string } | null)?.constraint ?? '']
  if (fields)
    return {
      status: 422,
      body: { success: false, error: 'Please correct the marked fields.', code: 'invalid_input', fields },
      headers: {},
    }
  if (isDatabaseAway(error)) {
    log.warn({ reason: (error as Error).message }, 'database does not answer')
    return {
      status: 503,
      body: {
        success: false,
        error: 'Something is not working on our side. Nothing was saved. Please try again in a moment.',
        code: 'unavailable',
      },
      headers: { 'retry-after': '2' },
    }
  }
  if (takesNoChanges(error)) {
    log.warn({ reason: (error as Error).message }, 'database takes no changes')
    return {
      status: 503,
      body: {
        success: false,
        error: 'We cannot save changes right now. Nothing was saved. Please try again later.',
        code: 'read_only',
      },
      headers: { 'retry-after': '60' },
    }
  }
  if (isUnstorableText(error))
    return {
      status: 422,
      body: {
        success: false,
        error: 'The text contains a character we cannot save. Delete it or type the text again.',
        code: 'unstorable_text',
      },
      headers: {},
    }
  const id = errorId()
  log.error({ id, err: error }, 'unexpected error')
  return {
    status: 500,
    body: { success: false, error: `An unexpected error occurred. Please quote ${id}.`, code: 'unexpected', id },
    headers: {},
  }
}

/** Database constraints that apply whatever a handler forgets, with their fields. */
const RULES: Record<string, Record<string, string>> = {
  user_profiles_scope_required: {
    scope_countries: 'Choose at least one country or chapter, or choose "everywhere" and give a reason',
  },
  user_profiles_scope_reason: {
    scope_reason: 'Enter a reason for "everywhere" and choose no country or chapter with it',
  },
  user_profiles_scope_of_role: { scope_countries: 'Only coordinators and local servants can be limited to countries' },
}

/** The same as a JSON response. */
export function bufferedErrorResponse(error: unknown, log: Log): BufferedResponse {
  const { status, body, headers } = errorResponseOf(error, log)
  return bufferedJson(status, Buffer.from(JSON.stringify(body)), { ...headers, 'cache-control': 'no-store' })
}

/** An id that can be read out over the phone: E-7Q2K-0931. */
function errorId(): string {
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return `E-${group()}-${group()}`
}

/** Checked structurally: the page bundle has its own copy of the class. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof AppError ||
  (error instanceof Error && error.name === 'AppError' && 'status' in error && 'code' in error)

/** True when the database answers but its disk is full or it is read-only: nothing was written. */
export function takesNoChanges(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  // 53100 disk full, 25006 a write in a read-only transaction: server/db/disk-space.ts, or a standby.
  return code === '53100' || code === '25006'
}
/** 22021 an invalid byte in text, such as NUL; 22P05 the same in JSON. */
const isUnstorableText = (error: unknown): boolean =>
  error instanceof Error && /^(22021|22P05)$/.test(String((error as { code?: unknown }).code))
