import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { ImportRowsTable } from '#server/db/tables-imports.ts'
import { AppError } from '#shared/errors.ts'
import { type ImportDetail, type ImportSummary, isInProgress, type PlannedRow } from '#shared/imports/model.ts'
import type { RowFilters } from '#shared/imports/schemas.ts'
import { rowsOf } from '#shared/table.ts'
import type { ImportAdapter } from './adapter.ts'
import { noCounts } from './plan.ts'
import { deadline, importNotFound } from './steps.ts'

const SAMPLES = 3
const ROWS_SEARCHED_FOR_SAMPLES = 200

/** The imports of a kind, the latest first. */
export async function findImports(db: Db, adapter: ImportAdapter, page: { page: number; per_page: number }) {
  const shown = importRows(db, adapter).where('imports.status', '<>', 'reading')
  const { total } = await db
    .selectFrom('imports')
    .where('kind', '=', adapter.kind)
    .where('status', '<>', 'reading')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { limit, offset } = rowsOf(page)
  const rows = await shown
    .orderBy('imports.created_at', 'desc')
    .orderBy('imports.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { imports: rows.map((row) => shownImport(adapter, row)), total, ...page }
}

/** One import of a kind. */
export async function findImport(db: Db, adapter: ImportAdapter, id: string): Promise<ImportSummary> {
  return shownImport(adapter, await importRow(db, adapter, id))
}

async function importRow(db: Db, adapter: ImportAdapter, id: string): Promise<ImportRow> {
  const row = await importRows(db, adapter).where('imports.id', '=', id).executeTakeFirst()
  if (!row) throw importNotFound()
  return row
}

function importRows(db: Db, { kind }: ImportAdapter) {
  return db
    .selectFrom('imports')
    .leftJoin('user_profiles', 'user_profiles.id', 'imports.created_by')
    .selectAll('imports')
    .select(['user_profiles.display_name as created_by_name'])
    .select(sql<boolean>`imports.active_at < ${deadline()}`.as('is_silent'))
    .where('imports.kind', '=', kind)
}

type ImportRow = Awaited<ReturnType<ReturnType<typeof importRows>['executeTakeFirstOrThrow']>>

function shownImport(adapter: ImportAdapter, row: ImportRow): ImportSummary {
  const at = (time: Date | null) => time?.toISOString() ?? null
  return {
    id: row.id,
    file_name: row.file_name,
    status: row.status,
    row_count: row.row_count,
    // A plan of an earlier version has only some of them.
    counts: row.planned_at ? { ...noCounts(adapter), ...row.counts } : null,
    plan_version: row.plan_version,
    progress: row.progress,
    is_stuck: isInProgress(row.status) && row.is_silent,
    refusal: row.refusal,
    created_by: row.created_by_name,
    created_at: row.created_at.toISOString(),
    planned_at: at(row.planned_at),
    committed_at: at(row.committed_at),
    undone_at: at(row.undone_at),
  }
}

/** One import with its columns and how they are read. */
export async function findImportDetail(db: Db, adapter: ImportAdapter, id: string): Promise<ImportDetail> {
  const row = await importRow(db, adapter, id)
  const samples = await samplesOf(db, id)
  return {
    import: shownImport(adapter, row),
    columns: row.columns.map((name, i) => ({ name, samples: samples(i) })),
    mapping: row.mapping,
    ...adapter.contract.schemas.Settings.parse(row.settings),
    ...(await adapter.detail?.(db, row)),
    same_file: await findSameFile(db, row),
  }
}

/** Some different values of each column. */
async function samplesOf(db: Db, id: string) {
  const rows = await db
    .selectFrom('import_rows')
    .select('cells')
    .where('import_id', '=', id)
    .orderBy('row_number')
    .limit(ROWS_SEARCHED_FOR_SAMPLES)
    .execute()
  return (column: number) => {
    const texts = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((text) => text !== '')
    return [...new Set(texts)].slice(0, SAMPLES).map((text) => text.slice(0, 80))
  }
}

async function findSameFile(db: Db, { id, kind, sha256 }: ImportRow) {
  const before = await db
    .selectFrom('imports')
    .select(['id', 'created_at', 'status'])
    .where('kind', '=', kind)
    .where('sha256', '=', sha256)
    .where('id', '<>', id)
    .where('status', '<>', 'reading')
    .where('created_at', '<', sql<Date>`(select created_at from imports where id = ${id})`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return before ? { ...before, created_at: before.created_at.toISOString() } : null
}

/** The rows of a plan that match. */
export async function findRows(db: Db, adapter: ImportAdapter, id: string, filters: RowFilters) {
  await importRow(db, adapter, id)
  let rows = db.selectFrom('import_rows').where('import_id', '=', id).where('action', 'is not', null)
  const { action, search } = filters
  if (action === 'undecided') rows = rows.where('is_undecided', '=', true)
  else if (action === 'warnings')
    rows = rows.where(sql<boolean>`problems <> '[]'`).where('action', 'in', ['create', 'update', 'unchanged'])
  else if (action) rows = rows.where('action', '=', action)
  if (search) {
    const like = `%${escapeLike(search)}%`
    rows = rows.where((eb) =>
      eb.or([
        eb('name', 'ilike', like),
        eb('place', 'ilike', like),
        ...(/^\d{1,7}$/.test(search) ? [eb('row_number', '=', Number(search))] : []),
      ]),
    )
  }
  const { total } = await rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const { limit, offset } = rowsOf(filters)
  const found = await rows.selectAll().orderBy('row_number').limit(limit).offset(offset).execute()
  return { rows: found.map((row) => shownRow(adapter, row)), total }
}

/** One row of a plan with its cells. */
export async function findRow(db: Db, adapter: ImportAdapter, id: string, row_number: number) {
  const { columns } = await importRow(db, adapter, id)
  const row = await db
    .selectFrom('import_rows')
    .selectAll()
    .where('import_id', '=', id)
    .where('row_number', '=', row_number)
    .executeTakeFirst()
  if (!row) throw new AppError(404, 'row_not_found', 'The file has no such row.')
  return { row: shownRow(adapter, row), cells: columns.map((column, i) => ({ column, value: row.cells[i] ?? '' })) }
}

function shownRow({ contract, shownFields, textOf = plainText }: ImportAdapter, row: Selectable<ImportRowsTable>) {
  const changes = shownFields.flatMap((field) => {
    if (!row.fields || !(field in row.fields)) return []
    const change = { field, old: textOf(field, row.before?.[field]), new: textOf(field, row.fields[field]) }
    return change.old === change.new ? [] : [change]
  })
  const isThere = row.action === 'update' || row.action === 'unchanged' || row.written_updated_at !== null
  // Ids have the name of the record in public.
  const recordId = `${contract.record}_id`
  return {
    row_number: row.row_number,
    action: row.action ?? 'error',
    name: row.name,
    place: row.place,
    [recordId]: isThere ? row.record_id : null,
    changes,
    problems: row.problems,
    duplicates: row.duplicates.map(({ record_id, ...duplicate }) => ({ [recordId]: record_id, ...duplicate })),
    decision: row.decision,
    [`decided_${recordId}`]: row.decided_record_id,
    is_undecided: row.is_undecided,
  } as PlannedRow
}

/** A value as people read it. */
export function plainText(_field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join('; ') : String(value)
}
