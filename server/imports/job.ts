import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Queue, WorkSettings } from '#server/jobs/queue.ts'
import type { Log } from '#server/log.ts'
import type { By, ImportAdapter } from './adapter.ts'
import { runStep, type Step } from './steps.ts'

const IMPORT_JOB = 'imports.step'
/** Steps run one at a time per node; a step of a stopped process is restarted. */
const SETTINGS: WorkSettings = { pollSeconds: 1, retryLimit: 1, expireInSeconds: 1_800, retentionSeconds: 3_600 }

interface Job {
  kind: string
  id: string
  step: Step
  by: By
}

/** Queues a claimed step, in the transaction of the claim. */
export async function enqueueStep(db: Db, queue: Queue, job: Job): Promise<void> {
  await queue.enqueue(db, IMPORT_JOB, job)
}

/** Lets this node queue long steps, and run them where it runs jobs. */
export async function startImports(
  queue: Queue,
  deps: { database: Database; log: Log },
  adapters: readonly ImportAdapter[],
  runsJobs: boolean,
) {
  if (!runsJobs) return queue.define(IMPORT_JOB, SETTINGS)
  if (deps.database.engine === 'pglite') await letGo(deps.database)
  const byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]))
  await queue.work<Job>(
    IMPORT_JOB,
    async ({ kind, ...job }) => {
      const adapter = byKind.get(kind)
      if (!adapter) throw new Error(`There are no imports of the kind ${kind}.`)
      await runStep(deps, adapter, job)
    },
    SETTINGS,
  )
}

/** The embedded database belongs to this process alone: a step in progress at start is left over from a dead one. */
async function letGo(database: Database): Promise<void> {
  await inBackground(database, 'import', (db) =>
    db
      .updateTable('imports')
      .set({ active_at: new Date(0) })
      .where('status', 'in', ['reading', 'planning', 'committing', 'undoing'])
      .execute(),
  )
}
