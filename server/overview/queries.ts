import { sql } from 'kysely'
import { isWaiting } from '#server/accounts/users/queries.ts'
import type { Db } from '#server/db/connection.ts'
import { containing } from '#server/db/like.ts'
import { pageOf } from '#server/db/lists.ts'
import { MAX_FOUND_USERS } from '#shared/overview/endpoints.ts'
import { ALARM_CAUSES } from '#shared/overview/queue.ts'

/** Accounts awaiting verification that the caller may see, except their own. */
export async function waitingAccounts(db: Db, me: string) {
  const { count, oldest_at } = await db
    .selectFrom('user_profiles')
    .select(({ fn }) => [sql<number>`count(*)::int`.as('count'), fn.min('created_at').as('oldest_at')])
    .where(isWaiting(me))
    .executeTakeFirstOrThrow()
  return { count, oldest_at: isoOf(oldest_at) }
}

/** Unsent messages. Runs as the portal, since no user role may read messages. */
export async function waitingMessages(db: Db) {
  const { oldest_at, ...counts } = await db
    .selectFrom('messages')
    .select(({ fn }) => [
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where channel = 'email'))::int`.as('email'),
      sql<number>`(count(*) filter (where channel = 'sms'))::int`.as('sms'),
      fn.min('created_at').as('oldest_at'),
    ])
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow()
  return { ...counts, oldest_at: isoOf(oldest_at) }
}

/** Current delivery faults, from the delivery monitor. */
export async function openAlarms(db: Db) {
  const rows = await db
    .selectFrom('delivery_monitor_alarms')
    .select(['cause', 'count as found', 'detail', 'raised_at'])
    .where('cause', 'in', ALARM_CAUSES)
    .where('cleared_at', 'is', null)
    .orderBy('raised_at')
    .execute()
  return rows.map((row) => ({
    ...row,
    cause: row.cause as (typeof ALARM_CAUSES)[number],
    raised_at: row.raised_at.toISOString(),
  }))
}

/** Announcements awaiting approval, except those the caller wrote. */
export async function countAnnouncementsToApprove(db: Db, me: string): Promise<number> {
  const { count } = await db
    .selectFrom('announcements')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('status', '=', 'for_approval')
    .where(sql<boolean>`created_by is distinct from ${me}`)
    .executeTakeFirstOrThrow()
  return count
}

export async function countUnresolvedNames(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct (source_id, name))::int as count
    from travel_advisories, unnest(unresolved_countries) as name`.execute(db)
  return rows[0]?.count ?? 0
}

/** Facts used by the assistant whose confirmation has expired. */
export async function countExpiredFacts(db: Db, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('assistant_facts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('is_active', '=', true)
    .where('valid_until', '<', now.toISOString().slice(0, 10))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Users by part of name, email or hub id; names that start with it come first. */
export async function findUsers(db: Db, search: string) {
  const text = search.toLowerCase()
  const matching = db
    .selectFrom('user_profiles')
    .select(['id', 'display_name as name', 'email', 'role'])
    .where('search_text', 'like', containing(search))
    .where('profile_status', '<>', 'deleted')
  const { rows, total } = await pageOf(matching, { page: 1, per_page: MAX_FOUND_USERS }, (q) =>
    q.orderBy(sql`starts_with(lower(display_name), ${text})`, 'desc').orderBy('display_name').orderBy('id'),
  )
  return { people: rows, total_users: total }
}

const isoOf = (instant: Date | null): string | null => instant?.toISOString() ?? null

/** Cases the caller may take, as database policies decide. */
export async function countOpenCases(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('assistant_cases')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('status', '=', 'open')
    .where(sql<boolean>`portal_takes_cases(country_code, chapter_id)`)
    .executeTakeFirstOrThrow()
  return Number(count)
}
