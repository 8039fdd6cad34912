import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import { firstOf, present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'

/** Rate limit: `count` attempts in `seconds`, across all nodes. */
export interface Limit {
  name: string
  count: number
  seconds: number
}

/** Limits outside sign-in; those of sign-in are in sign-ins/attempts.ts. */
export const LIMITS = {
  signInAccount: { name: 'sign-in account', count: 60, seconds: 3600 },
  signUpAddress: { name: 'sign-up address', count: 300, seconds: 3600 },
  mailAccount: { name: 'mail account', count: 5, seconds: 3600 },
  mailAddress: { name: 'mail address', count: 300, seconds: 3600 },
  codeAccount: { name: 'code account', count: 10, seconds: 900 },
  ownData: { name: 'own data', count: 10, seconds: 3600 },
  awayAddress: { name: 'away address', count: 600, seconds: 900 },
  localeCorrection: { name: 'locale correction', count: 20, seconds: 3600 },
  localeMessage: { name: 'locale message', count: 10, seconds: 3600 },
  localeConfirmation: { name: 'locale confirmation', count: 5, seconds: 86_400 },
  localeInbox: { name: 'locale inbox', count: 60, seconds: 3600 },
  sendByCall: { name: 'send by call', count: 120, seconds: 3600 },
  trackByCall: { name: 'track by call', count: 1200, seconds: 3600 },
  testAnnouncement: { name: 'test announcement', count: 20, seconds: 3600 },
  rollCallAnswer: { name: 'roll-call answer', count: 30, seconds: 3600 },
  upload: { name: 'upload', count: 60, seconds: 3600 },
} as const satisfies Record<string, Limit>

/** A limit for one subject. */
export interface Counter {
  limit: Limit
  subject: string
}

/** What one counter is at, with the seconds until it resets. */
interface Counted {
  limit: Limit
  used: number
  wait: number
}

/**
 * Counts one attempt of a subject and throws 429 past the limit. Outside any transaction, so that a failed attempt is
 * counted too.
 */
export async function countTry(database: Database, limit: Limit, subject: string): Promise<void> {
  const { used, wait } = firstOf(await count(database, [{ limit, subject }]))
  if (used > limit.count) throw tooOften(wait)
}

/** Counts one more for each subject in one statement; returns the new counts and the seconds until they reset. */
export async function count(database: Database, counters: Counter[]): Promise<Counted[]> {
  const keyed = counters.map((counter) => ({ key: keyOf(counter), limit: counter.limit }))
  // Sorted, so that two statements never deadlock.
  const rows = keyed.map(({ key, limit }) => ({ key, seconds: limit.seconds }))
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  const { rows: counted } = await sql<{ key: string; used: number; wait: number }>`
    insert into rate_limits as l (key, used, resets_at)
    select key, 1, now() + make_interval(secs => seconds)
      from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ seconds }) => seconds)}::int[]) as g (key, seconds)
    on conflict (key) do update set
      used = case when l.resets_at <= now() then 1 else l.used + 1 end,
      resets_at = case when l.resets_at <= now() then excluded.resets_at else l.resets_at end
    returning key, used, ceil(extract(epoch from resets_at - now()))::int as wait`.execute(database.requests.kysely)
  const byKey = new Map(counted.map((row) => [row.key, row]))
  return keyed.map(({ key, limit }) => ({ limit, ...present(byKey.get(key), 'the count') }))
}

/** Reads the counts of the subjects without counting. */
export async function readCounts(database: Database, counters: Counter[]): Promise<Counted[]> {
  const keyed = counters.map((counter) => ({ key: keyOf(counter), limit: counter.limit }))
  const { rows } = await sql<{ key: string; used: number; wait: number }>`
    select key, used, ceil(extract(epoch from resets_at - now()))::int as wait from rate_limits
    where key = any(${keyed.map(({ key }) => key)}::text[]) and resets_at > now()`.execute(database.requests.kysely)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return keyed.map(({ key, limit }) => ({ limit, ...(byKey.get(key) ?? { used: 0, wait: 0 }) }))
}

/** Releases one attempt of each subject: it did not fail. */
export async function takeBack(database: Database, counters: Counter[]): Promise<void> {
  await sql`update rate_limits set used = greatest(used - 1, 0) where key in (
    select key from rate_limits where key = any(${counters.map(keyOf)}::text[]) order by key for update)`.execute(
    database.requests.kysely,
  )
}

/** Clears all attempts of the subjects. */
export async function forgetTries(database: Database, counters: Counter[]): Promise<void> {
  await database.requests.kysely.deleteFrom('rate_limits').where('key', 'in', counters.map(keyOf)).execute()
}

/** The 429 for a caller who must wait. */
export const tooOften = (seconds: number): AppError =>
  new AppError(429, 'too_many_requests', `Too many attempts. Please try again in ${formatWait(seconds)}.`, {
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  })

const formatWait = (seconds: number) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`)

const keyOf = ({ limit, subject }: Counter) =>
  createHash('sha256').update(`${limit.name} ${subject.trim().toLowerCase()}`).digest('base64url')
