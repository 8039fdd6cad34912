import { audit, changed } from '#server/audit/audit-log.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { laterThan, stale } from '#server/db/records.ts'
import type { SignedIn } from '#server/http/session.ts'
import { type AdvisoryChange, announceChanges } from '#server/notifications/advisory-changes/announce.ts'
import type { AdvisoryEntry } from '#shared/advisories/entry.ts'
import { AppError } from '#shared/errors.ts'
import type { AdvisoryRow, NewAdvisoryRow } from '../advisory-row.ts'
import { versionOf } from '../import-writer.ts'
import type { Source } from '../sources.ts'
import { notFound } from './advisory-detail.ts'
import { allChangesBetween, findWritableSource, rowOfEntry } from './entry.ts'

export interface WriteContext {
  by: SignedIn
  now: Date
  countries: Countries
}

/** Inserts a new advisory with its first version. A repeated idempotency key returns the existing one. */
export async function createAdvisory(
  db: Db,
  entry: AdvisoryEntry,
  { is_draft, key, from }: { is_draft: boolean; key?: string | undefined; from?: string },
  writing: WriteContext,
): Promise<string> {
  const source = await findWritableSource(db, entry.source_id)
  const row = rowOfEntry(entry, undefined, { source, ...writing })
  if (key) row.external_id = `manual-${key}`
  const made = await db
    .insertInto('travel_advisories')
    .values({ ...row, status: is_draft ? 'draft' : 'actual', version: 1, created_at: writing.now })
    .onConflict((conflict) => conflict.columns(['source_id', 'external_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!made) return (await findByKey(db, row)).id
  await db
    .insertInto('advisory_versions')
    .values(versionOf({ ...row, version: 1 }, made.id, [], writing.now))
    .execute()
  await recordSourceChange(db, row.source_id, writing.now)
  await announceChanges(db, [changeOf(null, made)], writing)
  await audit(db, writing.by, {
    action: from ? 'advisory.duplicate' : 'advisory.create',
    subject_type: 'travel_advisory',
    subject_id: made.id,
    after: { ...worded(row), status: is_draft ? 'draft' : 'actual', ...(from ? { from } : {}) },
  })
  return made.id
}

function findByKey(db: Db, { source_id, external_id }: NewAdvisoryRow) {
  return db
    .selectFrom('travel_advisories')
    .select('id')
    .where('source_id', '=', source_id)
    .where('external_id', '=', external_id)
    .executeTakeFirstOrThrow()
}

/**
 * Replaces an advisory with the submitted text. A public one gets a new version; a draft stays at its first version
 * until published, since no earlier one was ever public.
 */
export async function updateAdvisory(
  db: Db,
  id: string,
  entry: AdvisoryEntry,
  { made_from, is_draft }: { made_from: string; is_draft: boolean },
  writing: WriteContext,
): Promise<void> {
  const lockedRow = await lockAdvisory(db, id, made_from)
  await expectWrittenHere(db, lockedRow)
  const source: Source = await findWritableSource(db, entry.source_id)
  const isPublic = lockedRow.status !== 'draft'
  if (isPublic && is_draft)
    throw new AppError(
      409,
      'is_public',
      'This advisory has been public and cannot become a draft again. Remove it from the list instead.',
    )
  if (isPublic && source.id !== lockedRow.source_id)
    throw new AppError(409, 'is_public', 'This advisory has been public, so you cannot change its source.')

  const row = rowOfEntry(entry, lockedRow, { source, ...writing })
  const changes = allChangesBetween(lockedRow, row)
  const isNewVersion = isPublic && changes.length > 0
  const next = {
    ...row,
    status: is_draft ? ('draft' as const) : ('actual' as const),
    version: lockedRow.version + (isNewVersion ? 1 : 0),
    changed_at: isNewVersion ? writing.now : lockedRow.changed_at,
    updated_at: laterThan(lockedRow, writing.now),
  }
  const difference = changed(worded(lockedRow), { ...worded(next), status: next.status })
  if (!difference) return
  const updated = await db
    .updateTable('travel_advisories')
    .set(next)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const version = versionOf(next, id, isPublic ? changes : [], writing.now)
  if (isNewVersion) await db.insertInto('advisory_versions').values(version).execute()
  else if (!isPublic)
    await db
      .updateTable('advisory_versions')
      .set(version)
      .where('advisory_id', '=', id)
      .where('version', '=', next.version)
      .execute()
  await recordSourceChange(db, next.source_id, writing.now)
  await announceChanges(db, [changeOf(lockedRow, updated)], writing)
  await audit(db, writing.by, {
    action: !isPublic && !is_draft ? 'advisory.publish' : 'advisory.edit',
    subject_type: 'travel_advisory',
    subject_id: id,
    ...difference,
  })
}

/** Locks the row for the rest of the transaction, provided that it is unchanged since the caller read it. */
export async function lockAdvisory(db: Db, id: string, madeFrom: string): Promise<AdvisoryRow> {
  const lockedRow = await db
    .selectFrom('travel_advisories')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!lockedRow) throw notFound()
  if (lockedRow.updated_at.getTime() !== Date.parse(madeFrom)) throw stale()
  return lockedRow
}

export async function isWrittenHere(db: Db, existing: AdvisoryRow): Promise<boolean> {
  const { reader } = await db
    .selectFrom('advisory_sources')
    .select('reader')
    .where('id', '=', existing.source_id)
    .executeTakeFirstOrThrow()
  return reader === 'manual'
}

async function expectWrittenHere(db: Db, existing: AdvisoryRow): Promise<void> {
  if (!(await isWrittenHere(db, existing)))
    throw new AppError(409, 'not_ours', 'This text comes from the source. You can remove it from the list or mark it.')
}

/** Marks the source as changed: a manual source has no run that would do so. */
export async function recordSourceChange(db: Db, source_id: string, now: Date): Promise<void> {
  const { count } = await db
    .selectFrom('travel_advisories')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('source_id', '=', source_id)
    .where('is_active', '=', true)
    .where('status', '=', 'actual')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('advisory_sources')
    .set({ item_count: Number(count), last_change_at: now, updated_at: now })
    .where('id', '=', source_id)
    .execute()
}

/** A change made by an administrator, as announced if it matters to subscribers. */
export const changeOf = (before: AdvisoryRow | null, after: AdvisoryRow): AdvisoryChange => ({
  id: after.id,
  before,
  after,
  isTakenBack: after.withdrawn_at !== null,
})

/** Creates a draft with the same text. */
export async function duplicateAdvisory(db: Db, id: string, writing: WriteContext): Promise<string> {
  const original = await db.selectFrom('travel_advisories').selectAll().where('id', '=', id).executeTakeFirst()
  if (!original) throw notFound()
  await expectWrittenHere(db, original)
  const isOver = original.expiry_date !== null && original.expiry_date <= writing.now
  const entry: AdvisoryEntry = {
    source_id: original.source_id,
    title: original.title,
    description: original.description,
    detailed_information: original.detailed_information ?? '',
    severity_level: original.severity_level,
    national_alert_level: original.national_alert_level as AdvisoryEntry['national_alert_level'],
    advisory_type: original.advisory_type,
    countries: original.country_codes,
    affected_regions: original.affected_regions,
    affected_cities: original.affected_cities,
    recommendations: original.recommendations,
    original_wording: original.original_wording,
    source_url: original.source_url,
    language: original.language,
    effective_date: isOver ? null : original.effective_date,
    expiry_date: isOver ? null : original.expiry_date,
    last_updated: null,
    is_urgent: original.is_urgent,
    auto_notify: original.auto_notify,
  }
  return createAdvisory(db, entry, { is_draft: true, from: id }, writing)
}

/** Deletes an advisory written here, with its versions; its text stays in the audit log. */
export async function deleteAdvisory(
  db: Db,
  id: string,
  { made_from, reason }: { made_from: string; reason: string },
  { by, now }: WriteContext,
): Promise<void> {
  const lockedRow = await lockAdvisory(db, id, made_from)
  await expectWrittenHere(db, lockedRow)
  await db.deleteFrom('travel_advisories').where('id', '=', id).execute()
  await recordSourceChange(db, lockedRow.source_id, now)
  await audit(db, by, {
    action: 'advisory.delete',
    subject_type: 'travel_advisory',
    subject_id: id,
    before: { ...worded(lockedRow), status: lockedRow.status, version: lockedRow.version },
    reason,
  })
}

/** The public fields of an advisory, as stored in the audit log. */
function worded(row: AdvisoryRow | NewAdvisoryRow) {
  const { title, description, detailed_information, recommendations, severity_level, advisory_type } = row
  const { source_id, original_wording, national_alert_level, source_url, language, is_urgent, auto_notify } = row
  const { country_codes, affected_regions, affected_cities, effective_date, expiry_date, last_updated, status } = row
  return {
    ...{ source_id, title, description, detailed_information, recommendations, severity_level, advisory_type },
    ...{ original_wording, national_alert_level, source_url, language, is_urgent, auto_notify },
    ...{ country_codes, affected_regions, affected_cities, effective_date, expiry_date, last_updated, status },
  }
}
