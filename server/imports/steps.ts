import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { AppError } from '#shared/errors.ts'
import type { ImportSettings, ImportStatus, Mapping } from '#shared/imports/model.ts'
import type { By, ImportAdapter } from './adapter.ts'
import { commitImport } from './commit.ts'
import { planImport } from './plan.ts'
import { Refused } from './refusals.ts'
import { undoImport } from './undo.ts'

export type Step = 'plan' | 'commit' | 'undo'

/** A step with more rows than this continues after the response. */
export const ROWS_AT_ONCE = 2_000
/** A running step without progress for this long is considered dead. */
const DEAD_AFTER = "interval '10 minutes'"

const STEPS: Record<Step, { from: readonly ImportStatus[]; during: ImportStatus; refusedTo: ImportStatus }> = {
  plan: { from: ['uploaded', 'planned', 'undone', 'planning'], during: 'planning', refusedTo: 'uploaded' },
  commit: { from: ['planned', 'committing'], during: 'committing', refusedTo: 'planned' },
  undo: { from: ['committed', 'undoing'], during: 'undoing', refusedTo: 'committed' },
}

/**
 * Claims an import for a step: exactly one of several concurrent callers succeeds. A request for an outdated plan is
 * rejected.
 */
export async function claimStep(
  db: Db,
  adapter: ImportAdapter,
  id: string,
  step: Step,
  version?: number,
): Promise<{ row_count: number }> {
  const { from, during } = STEPS[step]
  const claimed = await db
    .updateTable('imports')
    .set({ status: during, progress: 0, refusal: null, active_at: sql<Date>`clock_timestamp()` })
    // Invalidates an earlier planner that is still running.
    .$if(step === 'plan', (query) => query.set({ plan_version: sql`plan_version + 1` }))
    .where('id', '=', id)
    .where('kind', '=', adapter.kind)
    .where('status', 'in', from)
    .where((eb) => eb.or([eb('status', '<>', during), eb('active_at', '<', deadline())]))
    .$if(version !== undefined, (query) => query.where('plan_version', '=', version ?? 0))
    .returning('row_count')
    .executeTakeFirst()
  if (claimed) return claimed
  const { status, plan_version } = await findState(db, adapter, id)
  if (from.includes(status) && status !== during && plan_version !== version) throw planChanged()
  throw new AppError(409, 'wrong_state', WRONG_STATE[status])
}

/** Before this time, a step without progress is dead. */
export const deadline = () => sql<Date>`clock_timestamp() - ${sql.raw(DEAD_AFTER)}`
/** Error for a plan other than the one that was reviewed. */
export const planChanged = () =>
  new AppError(409, 'plan_changed', 'The plan was changed in the meantime. Look at it again.')

/** Error for an id that no import of this kind has. */
export const importNotFound = () => new AppError(404, 'import_not_found', 'There is no such import.')

const WRONG_STATE: Record<ImportStatus, string> = {
  reading: 'This file is still being read.',
  uploaded: 'There is no plan of this import yet.',
  planning: 'This import is being planned. Wait a moment.',
  planned: 'This import is not in force.',
  committing: 'This import is being committed. Wait a moment.',
  committed: 'This import is in force already.',
  undoing: 'This import is being undone. Wait a moment.',
  undone: 'This import was undone. Plan it again.',
}

async function findState(db: Db, { kind }: ImportAdapter, id: string) {
  const found = await db
    .selectFrom('imports')
    .select(['status', 'plan_version'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!found) throw importNotFound()
  return found
}

/** Runs a claimed step. A refusal is stored with the import, which otherwise stays as before. */
export async function runStep(
  { database, log }: { database: Database; log: Log },
  adapter: ImportAdapter,
  { id, step, by }: { id: string; step: Step; by: By },
): Promise<void> {
  try {
    await RUN[step](database, adapter, id, by)
  } catch (error) {
    const code = adapter.refusalOf?.(error) ?? 'failed'
    const refusal = error instanceof Refused ? error.refusal : { code, rows: [], total: 0 }
    if (refusal.code === 'failed')
      log.error({ reason: (error as Error).message, import: id, step }, 'a step of an import failed')
    const { during, refusedTo } = STEPS[step]
    await inBackground(database, 'import', (db) =>
      db
        .updateTable('imports')
        .set({ status: refusedTo, refusal: JSON.stringify(refusal) })
        .where('id', '=', id)
        .where('status', '=', during)
        .execute(),
    )
  }
}

const RUN = { plan: planImport, commit: commitImport, undo: undoImport }

/** Stores the column mapping of an import that was claimed for planning. */
export async function saveMapping(
  db: Db,
  { headings }: ImportAdapter,
  id: string,
  { mapping, ...settings }: { mapping: Mapping } & ImportSettings,
): Promise<void> {
  const { columns } = await db.selectFrom('imports').select('columns').where('id', '=', id).executeTakeFirstOrThrow()
  const fields = Object.values(mapping)
  const wrong = (text: string) =>
    new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields: { mapping: text } })
  if (Object.keys(mapping).some((column) => !columns.includes(column))) throw wrong('The file has no such columns.')
  for (const [field, text] of Object.entries(headings.required)) if (!fields.includes(field)) throw wrong(text)
  if (new Set(fields).size < fields.length) throw wrong('Two columns give the same field. Choose one of them.')
  await db
    .updateTable('imports')
    .set({ mapping: JSON.stringify(mapping), settings: JSON.stringify(settings) })
    .where('id', '=', id)
    .execute()
}
