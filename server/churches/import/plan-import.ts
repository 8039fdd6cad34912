import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { type ImportCounts, ImportMapping, type RowProblem } from '#shared/churches/imports.ts'
import { knownLocales, knownPage } from './known-locales.ts'
import { listsOf } from './lists.ts'
import { createPlanner, type FileRow, type PlanContext, type Planned, type SeenLocale } from './planner.ts'
import { createRowReader, type ReadRow } from './row.ts'

const ROWS_AT_ONCE = 250

/**
 * Plans a claimed import: every row gets an action and a reason. The embedded database responds without a turn of the
 * event loop, so the loop is yielded explicitly.
 */
export async function planImport(database: Database, id: string, countries: Countries): Promise<void> {
  const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'import', run)
  const claim = await work((db) => claimInForce(db, id))
  if (claim === undefined) return
  const context = await contextOf(work, id, countries)
  const planner = createPlanner(context)
  for (let after = 0; ; await turn()) {
    const rows = await work((db) => fileRows(db, id, after))
    if (rows.length === 0) break
    after = rows.at(-1)!.row_number
    const read = rows.map((row) => ({ ...row, ...context.read(row.cells) }))
    const seen = await work((db) => seenLocales(db, planner.meant(read)))
    const planned = read.flatMap((row) => planner.plan(row, seen))
    if (!(await work((db) => goOn(db, id, claim, planned, read.length)))) return
  }
  for (const planned of planner.rest()) if (!(await work((db) => goOn(db, id, claim, planned, 0)))) return
  await work((db) => finishPlan(db, id, claim))
}

async function contextOf(
  work: <T>(run: (db: Db) => Promise<T>) => Promise<T>,
  id: string,
  countries: Countries,
): Promise<PlanContext> {
  const known = await knownLocales((after) => work((db) => knownPage(db, after)))
  return { ...(await work((db) => readingOf(db, id, countries))), known }
}

/** For a single row: no other locales are loaded for the duplicate check. */
export async function contextFor(db: Db, id: string, countries: Countries): Promise<PlanContext> {
  const reading = await readingOf(db, id, countries)
  return { ...reading, known: await knownLocales(async () => []) }
}

async function readingOf(db: Db, id: string, countries: Countries): Promise<Omit<PlanContext, 'known'>> {
  const { columns, ...how } = await db
    .selectFrom('locale_imports')
    .select(['columns', 'mapping', 'id_prefix', 'options'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const chapters = await db.selectFrom('mfa_local_chapters').select('id').execute()
  const mapping = ImportMapping.parse(how)
  const known = new Set(chapters.map((chapter) => chapter.id))
  const read = createRowReader(columns, mapping, countries)
  return {
    read: (cells) => withKnownChapter(read(cells), known),
    clearsEmpty: mapping.options.clears_empty,
    publishes: mapping.options.new_locales === 'to_be_confirmed',
    nameOf: countries.nameOf,
  }
}

function withKnownChapter(row: ReadRow, chapters: ReadonlySet<string>): ReadRow {
  const { chapter_id, ...values } = row.values
  if (chapter_id === undefined || chapters.has(chapter_id as string)) return row
  const problem: RowProblem = { code: 'not_understood', field: 'chapter_id', value: chapter_id as string }
  return { ...row, values, problems: [...row.problems, problem] }
}

function fileRows(db: Db, id: string, after: number): Promise<FileRow[]> {
  return db
    .selectFrom('locale_import_rows')
    .select(['row_number', 'cells', 'decision', 'decided_locale_id'])
    .where('import_id', '=', id)
    .where('row_number', '>', after)
    .orderBy('row_number')
    .limit(ROWS_AT_ONCE)
    .execute()
}

export async function seenLocales(db: Db, ids: readonly string[]): Promise<Map<string, SeenLocale>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('locales')
    .selectAll()
    .select(sql<string>`updated_at::text`.as('seen'))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const lists = await listsOf(db, ids)
  return new Map(rows.map((row) => [row.id, { ...row, ...lists.get(row.id)! }]))
}

/** The version being planned; undefined if a plan is no longer wanted. */
async function claimInForce(db: Db, id: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('locale_imports')
    .select('plan_version')
    .where('id', '=', id)
    .where('status', '=', 'planning')
    .executeTakeFirst()
  return found?.plan_version
}

/** Writes some rows of the plan; false if it was restarted or ended elsewhere in the meantime. */
async function goOn(db: Db, id: string, claim: number, planned: readonly Planned[], done: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('locale_imports')
    .set({ progress: sql`progress + ${done}`, active_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'planning')
    .where('plan_version', '=', claim)
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0) return false
  await writePlanned(db, id, planned)
  return true
}

/** Writes the plan into the rows. */
export async function writePlanned(db: Db, id: string, planned: readonly Planned[]): Promise<void> {
  if (planned.length > 0)
    await sql`
      update locale_import_rows r set action = p.action, locale_id = p.locale_id, seen_updated_at = p.seen_updated_at,
        fields = p.fields, before = p.before, written_updated_at = null, problems = p.problems,
        duplicates = p.duplicates, name = p.name, place = p.place, is_undecided = p.is_undecided
      from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p (row_number integer, action text, locale_id uuid,
        seen_updated_at timestamptz, fields jsonb, before jsonb, problems jsonb, duplicates jsonb, name text, place text,
        is_undecided boolean)
      where r.import_id = ${id} and r.row_number = p.row_number`.execute(db)
}

async function finishPlan(db: Db, id: string, claim: number): Promise<void> {
  await db
    .updateTable('locale_imports')
    .set({
      status: 'planned',
      planned_at: sql<Date>`clock_timestamp()`,
      counts: JSON.stringify(await countRows(db, id)),
      refusal: null,
      committed_at: null,
      undone_at: null,
    })
    .where('id', '=', id)
    .where('status', '=', 'planning')
    .where('plan_version', '=', claim)
    .execute()
}

export const NO_COUNTS: ImportCounts = {
  create: 0,
  update: 0,
  unchanged: 0,
  skip: 0,
  error: 0,
  undecided: 0,
  warnings: 0,
  published: 0,
  services: 0,
  servants: 0,
}

/** Number of rows per action; the sum is all rows. */
export async function countRows(db: Db, id: string): Promise<ImportCounts> {
  const rows = await db
    .selectFrom('locale_import_rows')
    .select((eb) => [
      'action',
      eb.fn.countAll<number>().as('count'),
      sql<number>`count(*) filter (where is_undecided)`.as('undecided'),
      sql<number>`count(*) filter (where problems <> '[]' and action in ('create', 'update', 'unchanged'))`.as(
        'warnings',
      ),
      sql<number>`count(*) filter (where action = 'create' and (fields ->> 'is_public')::boolean)`.as('published'),
      sql<number>`coalesce(sum(jsonb_array_length(fields -> 'services')) filter (where action in ('create', 'update')), 0)::int`.as(
        'services',
      ),
      sql<number>`coalesce(sum(jsonb_array_length(fields -> 'servants')) filter (where action in ('create', 'update')), 0)::int`.as(
        'servants',
      ),
    ])
    .where('import_id', '=', id)
    .groupBy('action')
    .execute()
  const counts: ImportCounts = { ...NO_COUNTS }
  for (const row of rows) {
    if (row.action) counts[row.action] = row.count
    counts.undecided += row.undecided
    counts.warnings += row.warnings
    counts.published += row.published
    counts.services += row.services
    counts.servants += row.servants
  }
  return counts
}
