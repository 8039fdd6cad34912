import { pino } from 'pino'

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>

/**
 * Structured lines on standard output. Nothing about a person is ever logged: no addresses, no query values, no bodies;
 * requests appear as method, path pattern, status, duration and request id. Sign-ins and refusals name the account by its
 * id (server/http/security-log.ts).
 */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
