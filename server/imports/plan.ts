import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { BASE_COUNTS, type ImportCounts } from '#shared/imports/model.ts'
import type { By, ImportAdapter, RowRules } from './adapter.ts'
import { createPlanner, type FileRow, type Planned } from './planner.ts'
import { existingRecords } from './records.ts'

const ROWS_AT_ONCE = 250

/**
 * Plans a claimed import: every row gets an action and a reason. The embedded database responds without a turn of the
 * event loop, so the loop is yielded explicitly.
 */
export async function planImport(database: Database, adapter: ImportAdapter, id: string, by: By): Promise<void> {
  const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'import', run)
  const claim = await work((db) => claimInForce(db, id))
  if (claim === undefined) return
  const index = await adapter.index(work, by)
  const rules = await work((db) => rulesOf(db, adapter, id))
  const { record, errors } = adapter.contract
  const planner = createPlanner({ rules, index, record, errors: new Set(errors) })
  for (let after = 0; ; await turn()) {
    const rows = await work((db) => fileRows(db, id, after))
    const last = rows.at(-1)
    if (!last) break
    after = last.row_number
    const read = rows.map((row) => ({ ...row, ...rules.read(row.cells) }))
    const existing = await work((db) => existingRecords(db, adapter, planner.targets(read)))
    const planned = read.flatMap((row) => planner.plan(row, existing))
    if (!(await work((db) => goOn(db, id, claim, planned, read.length)))) return
  }
  for (const planned of planner.rest()) if (!(await work((db) => goOn(db, id, claim, planned, 0)))) return
  await work((db) => finishPlan(db, adapter, id, claim))
}

/** How the rows of this import are read, as last saved. */
export async function rulesOf(db: Db, adapter: ImportAdapter, id: string): Promise<RowRules> {
  const { columns, mapping, settings } = await db
    .selectFrom('imports')
    .select(['columns', 'mapping', 'settings'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return adapter.rules(db, { columns, mapping, settings: adapter.contract.schemas.Settings.parse(settings) })
}

function fileRows(db: Db, id: string, after: number): Promise<FileRow[]> {
  return db
    .selectFrom('import_rows')
    .select(['row_number', 'cells', 'decision', 'decided_record_id'])
    .where('import_id', '=', id)
    .where('row_number', '>', after)
    .orderBy('row_number')
    .limit(ROWS_AT_ONCE)
    .execute()
}

/** The version being planned; undefined if a plan is no longer wanted. */
async function claimInForce(db: Db, id: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('imports')
    .select('plan_version')
    .where('id', '=', id)
    .where('status', '=', 'planning')
    .executeTakeFirst()
  return found?.plan_version
}

/** Writes some rows of the plan; false if it was restarted or ended elsewhere in the meantime. */
async function goOn(db: Db, id: string, claim: number, planned: readonly Planned[], done: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
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
      update import_rows r set action = p.action, record_id = p.record_id, seen_updated_at = p.seen_updated_at,
        fields = p.fields, before = p.before, written_updated_at = null, problems = p.problems,
        duplicates = p.duplicates, name = p.name, place = p.place, is_undecided = p.is_undecided
      from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p (row_number integer, action text, record_id uuid,
        seen_updated_at timestamptz, fields jsonb, before jsonb, problems jsonb, duplicates jsonb, name text, place text,
        is_undecided boolean)
      where r.import_id = ${id} and r.row_number = p.row_number`.execute(db)
}

async function finishPlan(db: Db, adapter: ImportAdapter, id: string, claim: number): Promise<void> {
  await db
    .updateTable('imports')
    .set({
      status: 'planned',
      planned_at: sql<Date>`clock_timestamp()`,
      counts: JSON.stringify(await countRows(db, adapter, id)),
      refusal: null,
      committed_at: null,
      undone_at: null,
    })
    .where('id', '=', id)
    .where('status', '=', 'planning')
    .where('plan_version', '=', claim)
    .execute()
}

/** The counts of an import without rows. */
export function noCounts({ counts = {} }: Pick<ImportAdapter, 'counts'>): ImportCounts {
  return Object.fromEntries([...BASE_COUNTS, ...Object.keys(counts)].map((name) => [name, 0])) as ImportCounts
}

/** Number of rows per action, whose sum is all rows, and the counts of the kind. */
export async function countRows(db: Db, adapter: ImportAdapter, id: string): Promise<ImportCounts> {
  const more = Object.entries(adapter.counts ?? {}).map(([name, count]) => sql`, ${count} as ${sql.ref(name)}`)
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(
      (['create', 'update', 'unchanged', 'skip', 'error'] as const).map(
        (action) => sql`count(*) filter (where action = ${action})::int as ${sql.ref(action)}`,
      ),
    )}, count(*) filter (where is_undecided)::int as undecided,
      count(*) filter (where problems <> '[]' and action in ('create', 'update', 'unchanged'))::int as warnings
      ${sql.join(more, sql``)}
    from import_rows where import_id = ${id}`.execute(db)
  return { ...noCounts(adapter), ...rows[0] }
}
