import { sql } from 'kysely'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { AppError } from '#shared/errors.ts'
import { type RowDecision, recordIdOf } from '#shared/imports/model.ts'
import type { ImportAdapter } from './adapter.ts'
import { countRows, rulesOf, writePlanned } from './plan.ts'
import { asUpdate, type FileRow, newRowOf, type Planned } from './planner.ts'
import { existingRecords } from './records.ts'
import { importNotFound, planChanged } from './steps.ts'

interface Decided {
  decision: RowDecision
  plan_version: number
}

/** Stores a user's decision on a row, and plans that row again with it. */
export async function decideRow(db: Db, adapter: ImportAdapter, id: string, row_number: number, input: Decided) {
  await lockPlan(db, adapter, id, input.plan_version)
  const row = await db
    .selectFrom('import_rows')
    .select(['row_number', 'cells', 'decision', 'decided_record_id', 'duplicates', 'name', 'place'])
    .where('import_id', '=', id)
    .where('row_number', '=', row_number)
    .executeTakeFirst()
  if (!row) throw new AppError(404, 'row_not_found', 'The file has no such row.')
  if (row.duplicates.length === 0)
    throw new AppError(409, 'nothing_to_decide', 'There is nothing to decide about this row.')
  const target = input.decision === 'update' ? (recordIdOf(adapter.contract.record, input) ?? '') : null
  if (target !== null && !row.duplicates.some(({ record_id }) => record_id === target)) throw notProposed(adapter)
  if (target !== null) await refuseTaken(db, adapter, id, row_number, target)
  // The plan was made by the portal, which may know of more than the user; the target is one that it proposed.
  const planned = await asPortal(db, () => planDecided(db, adapter, id, row, { ...input, target }))
  await writePlanned(db, id, [{ ...planned, duplicates: row.duplicates }])
  await db
    .updateTable('import_rows')
    .set({ decision: input.decision, decided_record_id: target })
    .where('import_id', '=', id)
    .where('row_number', '=', row_number)
    .execute()
  await newVersion(db, adapter, id)
}

/** The row as a new record, or as an update of the chosen one. */
async function planDecided(
  db: Db,
  adapter: ImportAdapter,
  id: string,
  row: FileRow,
  { decision, target }: { decision: RowDecision; target: string | null },
): Promise<Planned> {
  const rules = await rulesOf(db, adapter, id)
  const read = { ...row, ...rules.read(row.cells) }
  if (target === null) return { ...newRowOf(read, { rules }), action: decision === 'create' ? 'create' : 'skip' }
  const record = (await existingRecords(db, adapter, [target])).get(target)
  const gone = 'This record was removed in the meantime. Plan again.'
  if (!record) throw new AppError(409, `${adapter.contract.record}_gone`, gone)
  return asUpdate(read, record, { rules })
}

/** The same for all undecided rows. */
export async function decideRest(
  db: Db,
  adapter: ImportAdapter,
  id: string,
  input: { decision: 'create' | 'skip'; plan_version: number },
) {
  await lockPlan(db, adapter, id, input.plan_version)
  const { numUpdatedRows } = await db
    .updateTable('import_rows')
    .set({
      decision: input.decision,
      action: input.decision,
      is_undecided: false,
      problems: sql`(select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(problems) p
        where p ->> 'code' <> 'maybe_same')` as never,
    })
    .where('import_id', '=', id)
    .where('is_undecided', '=', true)
    .executeTakeFirst()
  await newVersion(db, adapter, id)
  return Number(numUpdatedRows)
}

/** Decisions apply only to the plan the user has seen, one at a time. */
async function lockPlan(db: Db, { kind }: ImportAdapter, id: string, version: number): Promise<void> {
  const found = await db
    .selectFrom('imports')
    .select(['status', 'plan_version'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw importNotFound()
  if (found.status !== 'planned') throw new AppError(409, 'wrong_state', 'There is no plan to decide about.')
  if (found.plan_version !== version) throw planChanged()
}

const notProposed = ({ contract }: ImportAdapter) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
    fields: { [`${contract.record}_id`]: 'Choose one of the proposed records.' },
  })

/** Two rows cannot change the same record. */
async function refuseTaken(db: Db, { contract }: ImportAdapter, id: string, row_number: number, target: string) {
  const other = await db
    .selectFrom('import_rows')
    .select('row_number')
    .where('import_id', '=', id)
    .where('row_number', '<>', row_number)
    .where('record_id', '=', target)
    .where('action', 'in', ['update', 'unchanged'])
    .executeTakeFirst()
  if (other) throw new AppError(409, `${contract.record}_twice`, `Row ${other.row_number} changes that record already.`)
}

async function newVersion(db: Db, adapter: ImportAdapter, id: string): Promise<void> {
  const counts = JSON.stringify(await countRows(db, adapter, id))
  await db
    .updateTable('imports')
    .set({ counts, plan_version: sql`plan_version + 1`, refusal: null })
    .where('id', '=', id)
    .execute()
}
