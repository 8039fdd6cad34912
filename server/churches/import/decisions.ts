import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import type { RowDecision } from '#shared/churches/imports.ts'
import { AppError } from '#shared/errors.ts'
import { contextFor, countRows, seenLocales, writePlanned } from './plan-import.ts'
import { asUpdate, newRowOf, type Planned } from './planner.ts'
import { planChanged } from './steps.ts'

interface Decided {
  decision: RowDecision
  locale_id?: string | undefined
  plan_version: number
}

/** Stores a user's decision on a row, and plans that row again with it. */
export async function decideRow(db: Db, id: string, row_number: number, input: Decided, countries: Countries) {
  await lockPlan(db, id, input.plan_version)
  const row = await db
    .selectFrom('locale_import_rows')
    .select(['row_number', 'cells', 'decision', 'decided_locale_id', 'duplicates', 'name', 'place'])
    .where('import_id', '=', id)
    .where('row_number', '=', row_number)
    .executeTakeFirst()
  if (!row) throw new AppError(404, 'row_not_found', 'The file has no such row.')
  if (row.duplicates.length === 0)
    throw new AppError(409, 'nothing_to_decide', 'There is nothing to decide about this row.')
  const isUpdate = input.decision === 'update'
  if (isUpdate) await refuseTaken(db, id, row_number, input.locale_id, row.duplicates)
  const context = await contextFor(db, id, countries)
  const read = { ...row, ...context.read(row.cells) }
  let planned: Planned
  if (isUpdate) {
    const locale = (await seenLocales(db, [input.locale_id!])).get(input.locale_id!)
    if (!locale) throw new AppError(409, 'locale_gone', 'This locale was removed in the meantime. Plan again.')
    planned = asUpdate(read, locale, context)
  } else planned = { ...newRowOf(read, context), action: input.decision === 'create' ? 'create' : 'skip' }
  await writePlanned(db, id, [{ ...planned, duplicates: row.duplicates }])
  await db
    .updateTable('locale_import_rows')
    .set({ decision: input.decision, decided_locale_id: isUpdate ? input.locale_id! : null })
    .where('import_id', '=', id)
    .where('row_number', '=', row_number)
    .execute()
  await newVersion(db, id)
}

/** The same for all undecided rows. */
export async function decideRest(db: Db, id: string, input: { decision: 'create' | 'skip'; plan_version: number }) {
  await lockPlan(db, id, input.plan_version)
  const { numUpdatedRows } = await db
    .updateTable('locale_import_rows')
    .set({
      decision: input.decision,
      action: input.decision,
      is_undecided: false,
      problems:
        sql`(select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(problems) p where p ->> 'code' <> 'maybe_same')` as never,
    })
    .where('import_id', '=', id)
    .where('is_undecided', '=', true)
    .executeTakeFirst()
  await newVersion(db, id)
  return Number(numUpdatedRows)
}

/** Decisions apply only to the plan the user has seen, one at a time. */
async function lockPlan(db: Db, id: string, version: number): Promise<void> {
  const found = await db
    .selectFrom('locale_imports')
    .select(['status', 'plan_version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new AppError(404, 'import_not_found', 'There is no such import.')
  if (found.status !== 'planned') throw new AppError(409, 'wrong_state', 'There is no plan to decide about.')
  if (found.plan_version !== version) throw planChanged()
}

async function refuseTaken(
  db: Db,
  id: string,
  row_number: number,
  locale: string | undefined,
  duplicates: { locale_id: string }[],
): Promise<void> {
  if (!duplicates.some(({ locale_id }) => locale_id === locale))
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { locale_id: 'Choose one of the proposed locales.' },
    })
  const other = await db
    .selectFrom('locale_import_rows')
    .select('row_number')
    .where('import_id', '=', id)
    .where('row_number', '<>', row_number)
    .where('locale_id', '=', locale!)
    .where('action', 'in', ['update', 'unchanged'])
    .executeTakeFirst()
  if (other) throw new AppError(409, 'locale_twice', `Row ${other.row_number} changes that locale already.`)
}

async function newVersion(db: Db, id: string): Promise<void> {
  const counts = JSON.stringify(await countRows(db, id))
  await db
    .updateTable('locale_imports')
    .set({ counts, plan_version: sql`plan_version + 1`, refusal: null })
    .where('id', '=', id)
    .execute()
}
