import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import {
  type ImportDetail,
  ImportOptions,
  isInProgress,
  type LocaleImport,
  type PlannedRow,
  type RowFilters,
} from '#shared/churches/imports.ts'
import { AppError } from '#shared/errors.ts'
import { rowsOf } from '#shared/table.ts'
import { WRITTEN_FIELDS } from './change.ts'
import { listText } from './lists.ts'
import { NO_COUNTS } from './plan-import.ts'
import { countUnpublished } from './publish-import.ts'
import { deadline } from './steps.ts'

const SAMPLES = 3
const ROWS_SEARCHED_FOR_SAMPLES = 200

export async function findImports(db: Db, page: { page: number; per_page: number }) {
  const shown = db.selectFrom('locale_imports').where('status', '<>', 'reading')
  const { total } = await shown.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const { limit, offset } = rowsOf(page)
  const rows = await importRows(db)
    .where('locale_imports.status', '<>', 'reading')
    .orderBy('locale_imports.created_at', 'desc')
    .orderBy('locale_imports.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { imports: rows.map(shownImport), total, ...page }
}

export async function findImport(db: Db, id: string): Promise<LocaleImport> {
  return shownImport((await importRows(db).where('locale_imports.id', '=', id).executeTakeFirst()) ?? notFound())
}

function importRows(db: Db) {
  return db
    .selectFrom('locale_imports')
    .leftJoin('user_profiles', 'user_profiles.id', 'locale_imports.created_by')
    .selectAll('locale_imports')
    .select(['user_profiles.display_name as created_by_name'])
    .select(sql<boolean>`locale_imports.active_at < ${deadline()}`.as('is_silent'))
}

type ImportRow = Awaited<ReturnType<ReturnType<typeof importRows>['executeTakeFirstOrThrow']>>

function shownImport(row: ImportRow): LocaleImport {
  const at = (time: Date | null) => time?.toISOString() ?? null
  return {
    id: row.id,
    file_name: row.file_name,
    status: row.status,
    row_count: row.row_count,
    // A plan of an earlier version has only some of them.
    counts: row.planned_at ? { ...NO_COUNTS, ...row.counts } : null,
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

export async function findImportDetail(db: Db, id: string): Promise<ImportDetail> {
  const row = (await importRows(db).where('locale_imports.id', '=', id).executeTakeFirst()) ?? notFound()
  const rows = await db
    .selectFrom('locale_import_rows')
    .select('cells')
    .where('import_id', '=', id)
    .orderBy('row_number')
    .limit(ROWS_SEARCHED_FOR_SAMPLES)
    .execute()
  const samples = (column: number) => {
    const texts = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((text) => text !== '')
    return [...new Set(texts)].slice(0, SAMPLES).map((text) => text.slice(0, 80))
  }
  const before = await db
    .selectFrom('locale_imports')
    .select(['id', 'created_at', 'status'])
    .where('sha256', '=', row.sha256)
    .where('id', '<>', id)
    .where('status', '<>', 'reading')
    .where('created_at', '<', sql<Date>`(select created_at from locale_imports where id = ${id})`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    import: shownImport(row),
    columns: row.columns.map((name, i) => ({ name, samples: samples(i) })),
    mapping: row.mapping,
    id_prefix: row.id_prefix,
    options: ImportOptions.parse(row.options),
    unpublished: row.status === 'committed' ? await countUnpublished(db, id) : 0,
    same_file: before ? { ...before, created_at: before.created_at.toISOString() } : null,
  }
}

export async function findRows(db: Db, id: string, filters: RowFilters) {
  await findImport(db, id)
  let rows = db.selectFrom('locale_import_rows').where('import_id', '=', id).where('action', 'is not', null)
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
  return { rows: found.map(shownRow), total }
}

export async function findRow(db: Db, id: string, row_number: number) {
  const { columns } =
    (await db.selectFrom('locale_imports').select('columns').where('id', '=', id).executeTakeFirst()) ?? notFound()
  const row = await db
    .selectFrom('locale_import_rows')
    .selectAll()
    .where('import_id', '=', id)
    .where('row_number', '=', row_number)
    .executeTakeFirst()
  if (!row) throw new AppError(404, 'row_not_found', 'The file has no such row.')
  return { row: shownRow(row), cells: columns.map((column, i) => ({ column, value: row.cells[i] ?? '' })) }
}

type StoredRow = NonNullable<Awaited<ReturnType<typeof storedRow>>>
const storedRow = (db: Db) => db.selectFrom('locale_import_rows').selectAll().executeTakeFirst()

function shownRow(row: StoredRow): PlannedRow {
  const changes = WRITTEN_FIELDS.flatMap((field) => {
    if (!row.fields || !(field in row.fields)) return []
    const change = { field, old: textOf(field, row.before?.[field]), new: textOf(field, row.fields[field]) }
    return change.old === change.new ? [] : [change]
  })
  const isThere = row.action === 'update' || row.action === 'unchanged' || row.written_updated_at !== null
  return {
    row_number: row.row_number,
    action: row.action ?? 'error',
    name: row.name,
    place: row.place,
    locale_id: isThere ? row.locale_id : null,
    changes,
    problems: row.problems,
    duplicates: row.duplicates,
    decision: row.decision,
    decided_locale_id: row.decided_locale_id,
    is_undecided: row.is_undecided,
  }
}

function textOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (field === 'services' || field === 'servants') return listText(field, value)
  return Array.isArray(value) ? value.join('; ') : String(value)
}

function notFound(): never {
  throw new AppError(404, 'import_not_found', 'There is no such import.')
}
