import path from 'node:path'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { Session, SignedIn } from '#server/http/session.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Log } from '#server/log.ts'
import { AppError } from '#shared/errors.ts'
import { MAX_BYTES, MAX_ROWS } from '#shared/imports/limits.ts'
import type { ImportSettings, Mapping } from '#shared/imports/model.ts'
import type { By, ImportAdapter } from './adapter.ts'
import { decideRest, decideRow } from './decisions.ts'
import { enqueueStep } from './job.ts'
import { savedPlan } from './plan-file.ts'
import { findImport, findImportDetail, findImports, findRow, findRows } from './queries.ts'
import { claimStep, ROWS_AT_ONCE, runStep, type Step, saveMapping } from './steps.ts'
import { saveUpload } from './upload.ts'

interface ImportDeps {
  log: Log
  queue?: Queue | undefined
}

/** Imports from a file: planned first, committed exactly as planned or not at all, and undone as a whole. */
export function registerImports(router: Router, adapter: ImportAdapter, deps: ImportDeps) {
  const { contract } = adapter
  const takeStep = createSteps(adapter, deps)

  router.act(contract.upload, async ({ session, database }, { query, body }) => {
    const { bytes, name } = await body.read(MAX_BYTES)
    const id = await saveUpload(database, adapter, { bytes, name: fileName(query.name ?? name) }, userOf(session).id)
    return { import: await withClaims(database, claimsOf(session), (db) => findImport(db, adapter, id)) }
  })
  router.handle(contract.list, ({ db }, { query }) => findImports(db, adapter, query))
  router.handle(contract.get, ({ db }, { params }) => findImportDetail(db, adapter, params.id))

  router.act(contract.plan, async ({ session, database }, { params, body }) =>
    takeStep(database, session, params.id, 'plan', { how: body }),
  )
  router.act(contract.commit, async ({ session, database }, { params, body }) =>
    takeStep(database, session, params.id, 'commit', { version: body.plan_version }),
  )
  router.act(contract.undo, async ({ session, database }, { params }) => takeStep(database, session, params.id, 'undo'))

  router.handle(contract.rows, async ({ db }, { params, query }) => {
    if (query.format === 'csv') {
      const { file_name } = await findImport(db, adapter, params.id)
      const { rows } = await findRows(db, adapter, params.id, { ...query, page: 1, per_page: MAX_ROWS })
      return savedPlan(adapter, path.parse(file_name).name, rows) as never
    }
    return { ...(await findRows(db, adapter, params.id, query)), page: query.page, per_page: query.per_page }
  })
  router.handle(contract.row, ({ db }, { params }) => findRow(db, adapter, params.id, params.row_number))

  router.handle(contract.decide, async ({ db }, { params, body }) => {
    await decideRow(db, adapter, params.id, params.row_number, body)
    const { row } = await findRow(db, adapter, params.id, params.row_number)
    return { import: await findImport(db, adapter, params.id), row }
  })
  router.handle(contract.decideAll, async ({ db }, { params, body }) => {
    const decided = await decideRest(db, adapter, params.id, body)
    return { import: await findImport(db, adapter, params.id), decided }
  })

  router.handle(contract.remove, async ({ db }, { params }) => {
    const { status } = await findImport(db, adapter, params.id)
    const { numDeletedRows } = await db
      .deleteFrom('imports')
      .where('id', '=', params.id)
      .where('status', 'in', ['uploaded', 'planned', 'undone'])
      .executeTakeFirst()
    if (Number(numDeletedRows) === 0)
      throw new AppError(409, 'wrong_state', status === 'committed' ? IN_FORCE : 'This import is being worked on.')
    return { removed: true as const }
  })
}

const IN_FORCE = 'This import is in force. Undo it first.'

/** A short step completes with the response; a long one continues in the queue, and the import shows its progress. */
function createSteps(adapter: ImportAdapter, { log, queue }: ImportDeps) {
  return async (
    database: Database,
    session: Session,
    id: string,
    step: Step,
    more: { version?: number; how?: { mapping: Mapping } & ImportSettings } = {},
  ) => {
    const by = byOf(session)
    const isLong = await withClaims(database, claimsOf(session), async (db) => {
      const { row_count } = await claimStep(db, adapter, id, step, more.version)
      if (more.how) await saveMapping(db, adapter, id, more.how)
      const goesOn = queue !== undefined && row_count > ROWS_AT_ONCE
      if (goesOn) await enqueueStep(db, queue, { kind: adapter.kind, id, step, by })
      return goesOn
    })
    if (!isLong) await runStep({ database, log }, adapter, { id, step, by })
    return { import: await withClaims(database, claimsOf(session), (db) => findImport(db, adapter, id)) }
  }
}

function byOf(session: Session): By {
  const { id, role } = userOf(session)
  return { id, role }
}

function userOf({ user }: Session): SignedIn {
  if (!user) throw new Error('An import needs a signed-in user.')
  return user
}

function fileName(rawName: string | undefined): string {
  const name = path.posix.basename((rawName ?? '').replaceAll('\\', '/')).replace(/[\p{Cc}\p{Cf}]/gu, '')
  return name.toWellFormed().slice(0, 200) || 'file'
}
