import { sql } from 'kysely'
import { countriesWith } from '#server/countries/model.ts'
import type { Countries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Queue, WorkSettings } from '#server/jobs/queue.ts'
import type { Log } from '#server/log.ts'
import type { ImportMapping, ImportStatus } from '#shared/churches/imports.ts'
import { AppError } from '#shared/errors.ts'
import { isLoosening } from '../loosening-errors.ts'
import { type By, commitImport, Refused } from './commit-import.ts'
import { planImport } from './plan-import.ts'
import { undoImport } from './undo-import.ts'

export type Step = 'plan' | 'commit' | 'undo'

const IMPORT_JOB = 'locales.import'
/** Steps run one at a time per node; a step of a stopped process is restarted. */
const SETTINGS: WorkSettings = { pollSeconds: 1, retryLimit: 1, expireInSeconds: 1_800, retentionSeconds: 3_600 }
/** A step with more rows than this continues after the response. */
export const ROWS_AT_ONCE = 2_000
/** A running step without progress for this long is considered dead. */
const DEAD_AFTER = "interval '10 minutes'"

const STEPS: Record<Step, { from: readonly ImportStatus[]; during: ImportStatus; refusedTo: ImportStatus }> = {
  plan: { from: ['uploaded', 'planned', 'undone', 'planning'], during: 'planning', refusedTo: 'uploaded' },
  commit: { from: ['planned', 'committing'], during: 'committing', refusedTo: 'planned' },
  undo: { from: ['committed', 'undoing'], during: 'undoing', refusedTo: 'committed' },
}

interface StepDeps {
  database: Database
  log: Log
  countries: () => Countries
}

/**
 * Claims an import for a step: exactly one of several concurrent callers succeeds. A request for an outdated plan is
 * rejected.
 */
export async function claimStep(db: Db, id: string, step: Step, version?: number): Promise<{ row_count: number }> {
  const { from, during } = STEPS[step]
  const claimed = await db
    .updateTable('locale_imports')
    .set({ status: during, progress: 0, refusal: null, active_at: sql<Date>`clock_timestamp()` })
    // Invalidates an earlier planner that is still running.
    .$if(step === 'plan', (query) => query.set({ plan_version: sql`plan_version + 1` }))
    .where('id', '=', id)
    .where('status', 'in', from)
    .where((eb) => eb.or([eb('status', '<>', during), eb('active_at', '<', deadline())]))
    .$if(version !== undefined, (query) => query.where('plan_version', '=', version!))
    .returning('row_count')
    .executeTakeFirst()
  if (claimed) return claimed
  const { status, plan_version } = await findState(db, id)
  if (from.includes(status) && status !== during && plan_version !== version) throw planChanged()
  throw new AppError(409, 'wrong_state', WRONG_STATE[status])
}

export const deadline = () => sql<Date>`clock_timestamp() - ${sql.raw(DEAD_AFTER)}`
export const planChanged = () =>
  new AppError(409, 'plan_changed', 'The plan was changed in the meantime. Look at it again.')

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

async function findState(db: Db, id: string) {
  const found = await db
    .selectFrom('locale_imports')
    .select(['status', 'plan_version'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError(404, 'import_not_found', 'There is no such import.')
  return found
}

/** Runs a claimed step. A refusal is stored with the import, which otherwise stays as before. */
export async function runStep(deps: StepDeps, id: string, step: Step, by: By): Promise<void> {
  const { database, countries, log } = deps
  const write = { by, countryName: (code: string) => countries().find(code)?.name ?? null }
  try {
    if (step === 'plan') await planImport(database, id, countries())
    else if (step === 'commit') await commitImport(database, id, write)
    else await undoImport(database, id, write)
  } catch (error) {
    const code = isLoosening(error) ? 'would_loosen' : 'failed'
    const refusal = error instanceof Refused ? error.refusal : { code, rows: [], total: 0 }
    if (refusal.code === 'failed')
      log.error({ reason: (error as Error).message, import: id, step }, 'a step of an import failed')
    const { during, refusedTo } = STEPS[step]
    await inBackground(database, 'import', (db) =>
      db
        .updateTable('locale_imports')
        .set({ status: refusedTo, refusal: JSON.stringify(refusal) })
        .where('id', '=', id)
        .where('status', '=', during)
        .execute(),
    )
  }
}

interface Job {
  id: string
  step: Step
  by: By
}

/** Queues a claimed step, in the transaction of the claim. */
export async function enqueueStep(db: Db, queue: Queue, job: Job): Promise<void> {
  await queue.enqueue(db, IMPORT_JOB, job)
}

/** Lets this node queue long steps, and run them where it runs jobs. */
export async function startImporting(queue: Queue, deps: { database: Database; log: Log }, runsJobs: boolean) {
  if (!runsJobs) return queue.define(IMPORT_JOB, SETTINGS)
  if (deps.database.engine === 'pglite') await letGo(deps.database)
  await queue.work<Job>(
    IMPORT_JOB,
    async ({ id, step, by }) => {
      const countries = await countriesNow(deps)
      await runStep({ ...deps, countries: () => countries }, id, step, by)
    },
    SETTINGS,
  )
}

/** The embedded database belongs to this process alone: a step in progress at start is left over from a dead one. */
async function letGo(database: Database): Promise<void> {
  await inBackground(database, 'import', (db) =>
    db
      .updateTable('locale_imports')
      .set({ active_at: new Date(0) })
      .where('status', 'in', ['reading', 'planning', 'committing', 'undoing'])
      .execute(),
  )
}

/** The country reference with the current names added by administrators. */
export async function countriesNow({ database, log }: { database: Database; log: Log }): Promise<Countries> {
  const aliases = await inBackground(database, 'import', (db) =>
    db.selectFrom('country_aliases').select(['alias', 'country_code as code']).orderBy('alias').execute(),
  )
  return countriesWith(aliases, log)
}

/** Stores whether new locales are public if the file does not say. */
export async function saveNewLocalesOption(db: Db, id: string, publishes: boolean): Promise<void> {
  const new_locales = publishes ? 'to_be_confirmed' : 'unpublished'
  await db
    .updateTable('locale_imports')
    .set({ options: sql`options || ${JSON.stringify({ new_locales })}::jsonb` })
    .where('id', '=', id)
    .execute()
}

/** Stores the column mapping of an import that was claimed for planning. */
export async function saveMapping(db: Db, id: string, how: ImportMapping): Promise<void> {
  const { columns } = await db
    .selectFrom('locale_imports')
    .select('columns')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const fields = Object.values(how.mapping)
  const wrong = (text: string) =>
    new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields: { mapping: text } })
  if (Object.keys(how.mapping).some((column) => !columns.includes(column))) throw wrong('The file has no such columns.')
  if (!fields.includes('name')) throw wrong('Choose which column is the name.')
  if (new Set(fields).size < fields.length) throw wrong('Two columns give the same field. Choose one of them.')
  await db
    .updateTable('locale_imports')
    .set({
      mapping: JSON.stringify(how.mapping),
      id_prefix: how.id_prefix,
      options: JSON.stringify(how.options),
    })
    .where('id', '=', id)
    .execute()
}
