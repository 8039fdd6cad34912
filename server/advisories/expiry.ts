import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AdvisoryRow } from './advisory-row.ts'
import type { FeedItem } from './feeds/feed.ts'

/** Days for which an entry that its source no longer lists stays in force, marked as missing. */
export const MISSING_GRACE_DAYS = 7

/**
 * Ends the alerts that later ones replace or cancel, and returns them. An exercise or draft that refers to a real alert
 * does not end it.
 */
export async function endSuperseded(db: Db, sourceId: string, items: FeedItem[], now: Date): Promise<AdvisoryRow[]> {
  const ended = items.filter((item) => item.status === 'actual').flatMap((item) => item.supersedes)
  if (ended.length === 0) return []
  return db
    .updateTable('travel_advisories')
    .set({ is_active: false, updated_at: now })
    .where('source_id', '=', sourceId)
    .where('external_id', '=', anyOf(ended))
    .where('is_active', '=', true)
    .returningAll()
    .execute()
}

/** Ends entries their source has not listed for the grace period. Called only when the source has answered. */
export async function endMissing(db: Db, sourceId: string, now: Date, graceDays = MISSING_GRACE_DAYS): Promise<void> {
  await db
    .updateTable('travel_advisories')
    .set({ is_active: false, updated_at: now })
    .where('source_id', '=', sourceId)
    .where('is_active', '=', true)
    .where('missing_since', '<=', new Date(now.getTime() - graceDays * 86_400_000))
    .execute()
}

/** Ends expired entries; returns their number. Scheduled. */
export async function expireAdvisories(db: Db, now = new Date()): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('travel_advisories')
    .set({ is_active: false, updated_at: now })
    .where('is_active', '=', true)
    .where('expiry_date', '<=', now)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** `= any(…)` with a single array parameter, however many values. */
export function anyOf(values: readonly string[]) {
  return sql<string>`any(${values})`
}
