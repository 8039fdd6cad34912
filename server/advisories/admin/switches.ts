import type { Updateable } from 'kysely'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { laterThan } from '#server/db/records.ts'
import type { TravelAdvisoriesTable } from '#server/db/tables-advisories.ts'
import { announceChanges } from '#server/notifications/advisory-changes/announce.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import { type AdvisoryRow, changesBetween, type NewAdvisoryRow } from '../advisory-row.ts'
import { versionOf } from '../import-writer.ts'
import { changeOf, isWrittenHere, lockAdvisory, recordSourceChange, type WriteContext } from './mutations.ts'

interface Switches {
  made_from: string
  is_active?: boolean | undefined
  is_urgent?: boolean | undefined
  auto_notify?: boolean | undefined
  reason: string
}

/**
 * Admin switches that apply to any advisory, also imported ones: on or off the list, urgent, announced. They are stored
 * beside the source's text and survive the next import.
 */
export async function switchAdvisory(db: Db, id: string, switches: Switches, writing: WriteContext): Promise<void> {
  const lockedRow = await lockAdvisory(db, id, switches.made_from)
  const isOurs = await isWrittenHere(db, lockedRow)
  const set: Updateable<TravelAdvisoriesTable> = {
    ...activity(lockedRow, switches.is_active, isOurs, writing.now),
    ...urgency(lockedRow, switches.is_urgent, isOurs),
    ...(switches.auto_notify === undefined ? {} : { auto_notify: switches.auto_notify }),
  }
  const difference = changed(switchesOf(lockedRow), set as Partial<ReturnType<typeof switchesOf>>)
  if (!difference) return

  const row = { ...lockedRow, ...set, updated_at: laterThan(lockedRow, writing.now) } as AdvisoryRow
  const changes = lockedRow.status === 'draft' ? [] : changesBetween(lockedRow, row as NewAdvisoryRow)
  const next = {
    ...set,
    updated_at: row.updated_at,
    ...(changes.length > 0 ? { version: lockedRow.version + 1, changed_at: writing.now } : {}),
  }
  const updated = await db
    .updateTable('travel_advisories')
    .set(next)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (changes.length > 0) {
    const version = versionOf({ ...row, version: lockedRow.version + 1 }, id, changes, writing.now)
    await db.insertInto('advisory_versions').values(version).execute()
  }
  // The last import may have left it out while it was off the list: the source is read in full again.
  if (set.is_active && !isOurs)
    await db
      .updateTable('advisory_sources')
      .set({ etag: null, last_modified: null, content_hash: null })
      .where('id', '=', lockedRow.source_id)
      .execute()
  if (isOurs) await recordSourceChange(db, lockedRow.source_id, writing.now)
  await announceChanges(db, [changeOf(lockedRow, updated)], writing)
  await audit(db, writing.by, {
    action: actionOf(set),
    subject_type: 'travel_advisory',
    subject_id: id,
    ...difference,
    reason: switches.reason,
  })
}

function activity(existing: AdvisoryRow, wanted: boolean | undefined, isOurs: boolean, now: Date) {
  if (wanted === undefined || wanted === existing.is_active) return {}
  if (existing.status === 'draft')
    throw new AppError(409, 'is_draft', 'A draft is not on the list. Publish it instead.')
  if (!wanted) return { is_active: false, withdrawn_at: now }
  if (existing.expiry_date && existing.expiry_date <= now)
    throw new AppError(409, 'expired', 'This advisory has expired. Enter a later end date first.')
  if (!existing.withdrawn_at && !isOurs)
    throw new AppError(409, 'ended_by_source', 'The source has ended this advisory. Only the source can bring it back.')
  return { is_active: true, withdrawn_at: null }
}

function urgency(existing: AdvisoryRow, wanted: boolean | undefined, isOurs: boolean) {
  if (wanted === undefined || wanted === existing.is_urgent) return {}
  if (isOurs) return { is_urgent: wanted }
  if (wanted) return { is_urgent: true, urgent_by_portal: true }
  if (!existing.urgent_by_portal)
    throw new AppError(409, 'urgent_by_source', 'The source marked this advisory as urgent. You cannot change that.')
  return { is_urgent: false, urgent_by_portal: false }
}

const switchesOf = ({ is_active, withdrawn_at, is_urgent, urgent_by_portal, auto_notify }: AdvisoryRow) => ({
  is_active,
  withdrawn_at,
  is_urgent,
  urgent_by_portal,
  auto_notify,
})

function actionOf({ is_active }: Updateable<TravelAdvisoriesTable>): AuditAction {
  if (is_active === undefined) return 'advisory.mark'
  return is_active ? 'advisory.restore' : 'advisory.withdraw'
}
