/** An expected error, returned as `{ success: false, error, code, fields? }` with this status. */
export class AppError extends Error {
  readonly status: number
  readonly code: string
  /** One message per input field, keyed by its dotted path. */
  readonly fields: Record<string, string> | undefined
  readonly headers: Record<string, string> | undefined
  /** Id of the server's log entry; set only for unexpected errors. */
  readonly id: string | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    more: { fields?: Record<string, string>; headers?: Record<string, string>; id?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'AppError'
    this.status = status
    this.code = code
    this.fields = more.fields
    this.headers = more.headers
    this.id = more.id
  }
}

/** Body of every error response. */
export interface ErrorBody {
  success: false
  error: string
  code: string
  /** Id of the server's log entry; only for unexpected errors. */
  id?: string
  fields?: Record<string, string>
}
