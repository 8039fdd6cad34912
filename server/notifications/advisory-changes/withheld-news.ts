import type { Selectable } from 'kysely'
import type { AdvisoryRow } from '#server/advisories/advisory-row.ts'
import type { Source } from '#server/advisories/sources.ts'
import { isInForce } from '#server/advisories/state.ts'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { WithheldAnnouncementsTable } from '#server/db/tables-advisories.ts'
import type { SignedIn } from '#server/http/session.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { WithheldDecision, WithheldNews } from '#shared/notifications/withheld-news.ts'
import { announce } from '../announcements/create.ts'

export type NewWithheld = Pick<
  Selectable<WithheldAnnouncementsTable>,
  'advisory_id' | 'advisory_version' | 'reason' | 'priority' | 'announcement_key' | 'texts'
>

/** Records news that is not sent, for an administrator to release or drop. */
export async function withhold(db: Db, source: Source, news: NewWithheld[], now: Date): Promise<void> {
  if (news.length === 0) return
  const rows = news.map((row) => ({
    ...row,
    source_id: source.id,
    texts: JSON.stringify(row.texts),
    withheld_at: now,
    decision: null,
  }))
  await db
    .insertInto('withheld_announcements')
    .values(rows)
    .onConflict((c) => c.column('announcement_key').doNothing())
    .execute()
}

/** News awaiting a decision, most urgent first. */
export async function findWithheld(db: Db, sourceId: string): Promise<WithheldNews[]> {
  const rows = await db
    .selectFrom('withheld_announcements as w')
    .innerJoin('travel_advisories as a', 'a.id', 'w.advisory_id')
    .select(['w.id', 'w.advisory_id', 'w.reason', 'w.priority', 'w.withheld_at', 'a.title', 'a.language'])
    .select(['a.severity_level'])
    .where('w.source_id', '=', sourceId)
    .where('w.decided_at', 'is', null)
    .orderBy('a.severity_rank', 'desc')
    .orderBy('a.title')
    .limit(1_000)
    .execute()
  return rows.map((row) => ({ ...row, withheld_at: row.withheld_at.toISOString() }))
}

/** Releases or drops withheld news. Obsolete items are dropped; their later changes were announced separately. */
export async function decideWithheld(
  db: Db,
  sourceId: string,
  { ids, decision }: { ids: string[]; decision: WithheldDecision },
  { by, now }: { by: SignedIn; now: Date },
): Promise<{ released: number; dropped: number }> {
  const rows = await db
    .selectFrom('withheld_announcements')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('id', 'in', ids)
    .where('decided_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length !== new Set(ids).size)
    throw new AppError(409, 'stale', 'Some of these were decided since you opened the page. Check the list again.')
  const advisories = await db
    .selectFrom('travel_advisories')
    .selectAll()
    .where(
      'id',
      'in',
      rows.map((row) => row.advisory_id),
    )
    .execute()
  const advisoryOf = new Map(advisories.map((advisory) => [advisory.id, advisory]))
  const counts = { released: 0, dropped: 0 }
  for (const row of rows) {
    const advisory = present(advisoryOf.get(row.advisory_id), 'the advisory of withheld news')
    const result = decision === 'released' && isCurrent(row, advisory, now) ? 'released' : 'dropped'
    counts[result] += 1
    if (result === 'released') await asPortal(db, () => release(db, row, advisory))
    await db
      .updateTable('withheld_announcements')
      .set({ decision: result, decided_at: now })
      .where('id', '=', row.id)
      .execute()
  }
  await audit(db, by, {
    action: `news.${decision === 'released' ? 'release' : 'drop'}`,
    subject_type: 'advisory_source',
    subject_id: sourceId,
    before: { withheld: rows.length },
    after: counts,
  })
  return counts
}

function isCurrent(row: Selectable<WithheldAnnouncementsTable>, advisory: AdvisoryRow, now: Date): boolean {
  const isOver = row.reason !== 'withdrawn' && !isInForce(advisory, now)
  return !isOver && advisory.version === row.advisory_version
}

async function release(db: Db, row: Selectable<WithheldAnnouncementsTable>, advisory: AdvisoryRow): Promise<void> {
  await announce(db, {
    key: row.announcement_key,
    kind: 'advisory',
    priority: row.priority,
    template: 'advisory',
    texts: row.texts,
    actionUrl: `/travel-advisories/${advisory.id}`,
    advisory: { id: advisory.id, version: row.advisory_version, reason: row.reason },
    severity: advisory.severity_level,
    audience: null,
    channels: null,
  })
}
