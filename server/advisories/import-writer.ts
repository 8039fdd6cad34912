import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'
import type { AdvisoryVersionsTable } from '#server/db/tables-advisories.ts'
import type { AdvisoryChange as AdvisoryChanged } from '#server/notifications/advisory-changes/announce.ts'
import type { AdvisoryChange } from '#shared/advisories/endpoints.ts'
import { firstOf, present } from '#shared/assert.ts'
import { type AdvisoryRow, changesBetween, dayOf, type NewAdvisoryRow, NOTHING_PENDING, rowOf } from './advisory-row.ts'
import type { ExistingAdvisory } from './existing-advisory.ts'
import { anyOf } from './expiry.ts'
import type { FeedItem } from './feeds/feed.ts'
import { type ImportContext, isLive, type Plan } from './import-plan.ts'
import type { Source } from './sources.ts'

type VersionedRow = NewAdvisoryRow & { version: number }

/** Writes new and changed entries, each with its version; returns the counts and the new versions. */
export async function writeChanged(db: Db, source: Source, items: FeedItem[], context: ImportContext) {
  const before = await findRows(db, source, items)
  const capturedOn = context.capturedOn ?? null
  const advisories: VersionedRow[] = []
  const changesById = new Map<string, AdvisoryChange[]>()
  const cancelled = new Set(items.filter((item) => item.is_cancellation).map((item) => item.external_id))
  for (const item of items) {
    const existing = before.get(item.external_id)
    const row = rowOf(item, existing, { source, countries: context.countries, now: context.now, capturedOn })
    const changes =
      existing && !(isLive(context) && isOnlyMoreExact(existing, item)) ? changesBetween(existing, row) : []
    const isNewVersion = changes.length > 0
    advisories.push({
      ...row,
      version: (existing?.version ?? 1) + (isNewVersion ? 1 : 0),
      changed_at: isNewVersion ? context.now : (existing?.changed_at ?? null),
    })
    changesById.set(item.external_id, changes)
  }
  const changes: AdvisoryChanged[] = []
  for (const chunk of chunks(advisories, 200)) {
    const written = await upsert(db, chunk, changesById, context.now)
    for (const after of written) {
      const existing = before.get(after.external_id) ?? null
      if (!existing || existing.version !== after.version || existing.is_active !== after.is_active)
        changes.push({
          id: after.id,
          before: existing,
          after,
          isTakenBack: cancelled.has(after.external_id),
          isFromFeed: true,
        })
    }
  }
  return { added: items.length - before.size, updated: before.size, changes }
}

async function findRows(db: Db, source: Source, items: FeedItem[]): Promise<Map<string, AdvisoryRow>> {
  if (items.length === 0) return new Map()
  const rows = await db
    .selectFrom('travel_advisories')
    .selectAll()
    .where('source_id', '=', source.id)
    .where('external_id', '=', anyOf(items.map((item) => item.external_id)))
    .execute()
  return new Map(rows.map((row) => [row.external_id, row]))
}

/**
 * An extract may be shorter than the source's own document. If the source has not changed an entry since the extract,
 * its document only adds detail; the level is compared all the same.
 */
function isOnlyMoreExact(existing: AdvisoryRow, item: FeedItem): boolean {
  if (!existing.captured_on || existing.severity_level !== item.severity_level) return false
  return dayOf(item.last_updated) <= existing.captured_on || item.last_updated <= existing.last_updated
}

async function upsert(db: Db, advisories: VersionedRow[], changesById: Map<string, AdvisoryChange[]>, now: Date) {
  const columns = Object.keys(firstOf(advisories)) as (keyof Tables['travel_advisories'])[]
  const written = await db
    .insertInto('travel_advisories')
    .values(advisories)
    .onConflict((conflict) =>
      conflict.columns(['source_id', 'external_id']).doUpdateSet((eb) => fromExcluded(eb, columns)),
    )
    .returningAll()
    .execute()
  const idOf = new Map(written.map((row) => [row.external_id, row.id]))
  const versions = advisories.map((row) =>
    versionOf(row, present(idOf.get(row.external_id), 'the advisory'), changesById.get(row.external_id) ?? [], now),
  )
  const texts = Object.keys(firstOf(versions)).filter((column) => !['changes', 'recorded_at'].includes(column))
  await db
    .insertInto('advisory_versions')
    .values(versions)
    .onConflict((conflict) => conflict.columns(['advisory_id', 'version']).doUpdateSet((eb) => fromExcluded(eb, texts)))
    .execute()
  return written
}

/** The version row for an advisory, with its changes from the previous version. */
export function versionOf(
  row: Omit<VersionedRow, 'pending_item'>,
  advisory_id: string,
  changes: AdvisoryChange[],
  now: Date,
): Insertable<AdvisoryVersionsTable> {
  return {
    advisory_id,
    version: row.version,
    recorded_at: now,
    last_updated: row.last_updated,
    date_precision: row.date_precision,
    severity_level: row.severity_level,
    title: row.title,
    original_wording: row.original_wording,
    description: row.description,
    detailed_information: row.detailed_information,
    recommendations: row.recommendations,
    expiry_date: row.expiry_date,
    changes: JSON.stringify(changes),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the builder's type names one table, the function serves two
function fromExcluded(eb: ExpressionBuilder<any, any>, columns: readonly string[]) {
  return Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))
}

/**
 * The source still lists these entries, or again: they count as its current state, no longer as an extract, and no
 * lower level is pending. Entries in an older state are only known to be listed, perhaps at their level again.
 */
export async function confirm(db: Db, { confirmed, older }: Pick<Plan, 'confirmed' | 'older'>, context: ImportContext) {
  const isStale = (row: ExistingAdvisory) =>
    row.missing_since || (isLive(context) && row.captured_on) || row.pending_since
  const resolvedRows = new Set([...confirmed, ...older.filter(({ isBack }) => isBack).map(({ known }) => known)])
  const resolvedIds = [...resolvedRows].filter((row) => row.pending_since).map((row) => row.id)
  const back = older.filter(({ known, isBack }) => known.missing_since || (isBack && known.pending_since))
  const stale = [...confirmed.filter(isStale), ...back.map(({ known }) => known)]
  if (stale.length === 0) return
  const returned = stale.filter((row) => row.missing_since).map((row) => row.id)
  await db
    .updateTable('travel_advisories')
    .set({
      missing_since: null,
      ...(isLive(context) ? { captured_on: null } : {}),
      ...clearPending(resolvedIds),
      is_active: sql<boolean>`is_active
        or (id = ${anyOf(returned)} and withdrawn_at is null and coalesce(expiry_date > ${context.now}, true))`,
      updated_at: context.now,
    })
    .where('id', '=', anyOf(stale.map((row) => row.id)))
    .execute()
}

/** Clears the pending level of the rows with these ids only. */
function clearPending(resolvedIds: string[]) {
  if (resolvedIds.length === 0) return {}
  const columns = Object.keys(NOTHING_PENDING) as (keyof typeof NOTHING_PENDING)[]
  return Object.fromEntries(
    columns.map((column) => [column, sql`case when id = ${anyOf(resolvedIds)} then null else ${sql.ref(column)} end`]),
  )
}

function chunks<T>(values: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
}
