/** An expected failure: it becomes `{ success: false, error, code, fields? }` with this status. */
export class AppError extends Error {
  readonly status: number
  readonly code: string
  /** One message per field of the input, keyed by its dotted path. */
  readonly fields: Record<string, string> | undefined
  readonly headers: Record<string, string> | undefined
  /** Id under which the server logged what happened; only of a failure that nobody expected. */
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

/** What every failed answer looks like. */
export interface ErrorBody {
  success: false
  error: string
  code: string
  /** Id under which the server logged it; only for failures that were not expected. */
  id?: string
  fields?: Record<string, string>
}
