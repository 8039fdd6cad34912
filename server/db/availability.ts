// 57014 statement time-out, 57P0x shutting down or starting, 53300 too many connections, 08xxx connection, 25P03 idle.
const AWAY =
  /^(57014|57P0\d|53300|08\w{3}|25P0[34]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** True when the database is slow, unavailable or full: the caller may retry, nothing was written. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && AWAY.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
    error.message,
  )
}
