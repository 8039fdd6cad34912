import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Database } from '../db/connection.ts'
import type { Session } from '../http/session.ts'

/** How often something may be tried: `count` times in `seconds`, over all nodes. */
export interface Limit {
  name: string
  count: number
  seconds: number
}

/** Per caller's address, per account from one address, and per account from everywhere. */
export const LIMITS = {
  signInAddress: { name: 'sign-in address', count: 60, seconds: 900 },
  signInHere: { name: 'sign-in here', count: 10, seconds: 900 },
  signInAccount: { name: 'sign-in account', count: 60, seconds: 3600 },
  signUpAddress: { name: 'sign-up address', count: 20, seconds: 3600 },
  mailAccount: { name: 'mail account', count: 5, seconds: 3600 },
  mailAddress: { name: 'mail address', count: 30, seconds: 3600 },
  codeAccount: { name: 'code account', count: 10, seconds: 900 },
  ownData: { name: 'own data', count: 10, seconds: 3600 },
  awayAddress: { name: 'away address', count: 120, seconds: 900 },
  localeCorrection: { name: 'locale correction', count: 20, seconds: 3600 },
  localeMessage: { name: 'locale message', count: 10, seconds: 3600 },
  localeAsked: { name: 'locale asked', count: 5, seconds: 86_400 },
  localeInbox: { name: 'locale inbox', count: 60, seconds: 3600 },
  sendByCall: { name: 'send by call', count: 120, seconds: 3600 },
  trackByCall: { name: 'track by call', count: 1200, seconds: 3600 },
  testNotice: { name: 'test notice', count: 20, seconds: 3600 },
  rollCallAnswer: { name: 'roll-call answer', count: 30, seconds: 3600 },
  upload: { name: 'upload', count: 60, seconds: 3600 },
} as const satisfies Record<string, Limit>

/**
 * Counts one try of a subject and refuses with 429 past the limit. Outside of any transaction, so that a try counts
 * also when what was tried fails.
 */
export async function countTry(database: Database, limit: Limit, subject: string): Promise<void> {
  const key = keyOf(limit, subject)
  const { rows } = await sql<{ used: number; wait: number }>`
    insert into rate_limits as l (key, used, resets_at) values (${key}, 1, now() + make_interval(secs => ${limit.seconds}))
    on conflict (key) do update set
      used = case when l.resets_at <= now() then 1 else l.used + 1 end,
      resets_at = case when l.resets_at <= now() then excluded.resets_at else l.resets_at end
    returning used, ceil(extract(epoch from resets_at - now()))::int as wait`.execute(database.requests.kysely)
  const { used, wait } = rows[0]!
  if (used > limit.count)
    throw new AppError(429, 'too_many_requests', `That was too often. Please try again in ${inWords(wait)}.`, {
      headers: { 'retry-after': String(Math.max(1, wait)) },
    })
}

/** Counts a message that somebody asks for: by where she is, and by whom it goes to. */
export async function countMail(database: Database, session: Session, to: string): Promise<void> {
  await countTry(database, LIMITS.mailAddress, session.address)
  await countTry(database, LIMITS.mailAccount, to)
}

/** Forgets the tries of a subject: it showed that it is who it says. */
export async function forgetTries(database: Database, limit: Limit, subject: string): Promise<void> {
  await database.requests.kysely.deleteFrom('rate_limits').where('key', '=', keyOf(limit, subject)).execute()
}

const keyOf = (limit: Limit, subject: string) =>
  createHash('sha256').update(`${limit.name} ${subject.trim().toLowerCase()}`).digest('base64url')

const inWords = (seconds: number) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`)
