import { pino } from 'pino'

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>

/**
 * Structured log lines on standard output. Personal data is never logged: no addresses, query values or bodies.
 * Requests appear as method, path pattern, status, duration and request id. Sign-ins and refusals name the account by
 * its id (server/http/security-log.ts).
 */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
