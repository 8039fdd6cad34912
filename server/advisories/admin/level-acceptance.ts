import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { announceChanges } from '#server/notifications/advisory-changes/announce.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { AdvisoryRow } from '../advisory-row.ts'
import type { FeedItem } from '../feeds/feed.ts'
import { writeChanged } from '../import-writer.ts'
import { lockAdvisory, type WriteContext } from './mutations.ts'

/** Applies the pending lower level of one advisory, after an administrator has compared it with its source. */
export async function acceptLevel(
  db: Db,
  id: string,
  { made_from, reason }: { made_from: string; reason: string },
  writing: WriteContext,
): Promise<void> {
  const row = await lockAdvisory(db, id, made_from)
  if (!row.pending_item) throw new AppError(409, 'nothing_pending', 'No lower level is waiting. Nothing was changed.')
  await accept(db, row.source_id, [row], { reason, writing })
}

/** Applies all pending lower levels of a source; returns their number. */
export async function acceptLevelsOfSource(
  db: Db,
  sourceId: string,
  { count, reason }: { count: number; reason: string },
  writing: WriteContext,
): Promise<number> {
  const rows = await db
    .selectFrom('travel_advisories')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('pending_since', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length !== count)
    throw new AppError(
      409,
      'stale',
      'The number of lower levels has changed since you opened the page. Check them again.',
    )
  await accept(db, sourceId, rows, { reason, writing })
  return rows.length
}

async function accept(
  db: Db,
  sourceId: string,
  rows: AdvisoryRow[],
  { reason, writing }: { reason: string; writing: WriteContext },
): Promise<void> {
  const { now, countries, by } = writing
  const source = await db
    .selectFrom('advisory_sources')
    .selectAll()
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow()
  const items = rows.map((row) => ({
    ...itemFrom(present(row.pending_item, 'a pending item')),
    external_id: row.external_id,
  }))
  const { changes } = await writeChanged(db, source, items, { cause: 'manual', now, countries, isForced: true })
  await announceChanges(db, changes, writing)
  // The next fetch reads the whole list, and confirms the source once nothing is pending.
  await db
    .updateTable('advisory_sources')
    .set({ etag: null, last_modified: null, content_hash: null, updated_at: now })
    .where('id', '=', sourceId)
    .execute()
  for (const row of rows)
    await audit(db, by, {
      action: 'advisory.accept_level',
      subject_type: 'travel_advisory',
      subject_id: row.id,
      before: { severity_level: row.severity_level, original_wording: row.original_wording },
      after: { severity_level: row.pending_severity_level, original_wording: row.pending_wording },
      reason,
    })
}

/** The pending entry as it was read: JSON stores its dates as text. */
function itemFrom(stored: Record<string, unknown>): FeedItem {
  const item = stored as Pick<FeedItem, keyof FeedItem>
  const date = (value: Date | string | null) => (value === null ? null : new Date(value))
  return {
    ...item,
    last_updated: new Date(item.last_updated),
    effective_date: date(item.effective_date),
    expiry_date: date(item.expiry_date),
  }
}
