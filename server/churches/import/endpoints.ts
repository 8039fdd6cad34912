import path from 'node:path'
import { withClaims } from '#server/db/claims.ts'
import { type ActionContext, claimsOf, type Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { MAX_BYTES, MAX_ROWS } from '#shared/churches/import-fields.ts'
import {
  commitLocaleImport,
  decideImportRow,
  decideImportRows,
  getImportRow,
  getLocaleImport,
  type ImportMapping,
  listImportRows,
  listLocaleImports,
  planLocaleImport,
  publishLocaleImport,
  removeLocaleImport,
  undoLocaleImport,
  uploadLocaleImport,
} from '#shared/churches/imports.ts'
import { exportLocales } from '#shared/churches/managed-list.ts'
import { AppError } from '#shared/errors.ts'
import type { ChurchDeps } from '../module.ts'
import { decideRest, decideRow } from './decisions.ts'
import { linesToSave, savedLines } from './export-locales.ts'
import { savedPlan } from './plan-file.ts'
import { publishImport } from './publish-import.ts'
import { findImport, findImportDetail, findImports, findRow, findRows } from './queries.ts'
import { claimStep, enqueueStep, ROWS_AT_ONCE, runStep, type Step, saveMapping } from './steps.ts'
import { saveUpload } from './upload.ts'

/** Imports locales from a file: planned first, committed exactly as planned or not at all, and undone as a whole. */
export function localeImports(router: Router, deps: ChurchDeps) {
  const { countries, log, queue } = deps

  router.act(uploadLocaleImport, async ({ session, user, database }, { query, body }) => {
    const { bytes, name } = await body.read(MAX_BYTES)
    const file = { bytes, name: fileName(query.name ?? name) }
    const id = await saveUpload(database, file, user.id)
    return { import: await withClaims(database, claimsOf(session), (db) => findImport(db, id)) }
  })

  router.handle(listLocaleImports, ({ db }, { query }) => findImports(db, query))
  router.handle(getLocaleImport, ({ db }, { params }) => findImportDetail(db, params.id))

  router.act(planLocaleImport, async (ctx, { params, body }) => {
    return takeStep(ctx, params.id, 'plan', { how: body })
  })
  router.act(commitLocaleImport, async (ctx, { params, body }) => {
    return takeStep(ctx, params.id, 'commit', { version: body.plan_version })
  })
  router.act(undoLocaleImport, async (ctx, { params }) => {
    return takeStep(ctx, params.id, 'undo')
  })

  /** A short step completes with the response; a long one continues in the queue, and the import shows its progress. */
  async function takeStep(
    { database, session, user }: ActionContext<SignedIn>,
    id: string,
    step: Step,
    more: { version?: number; how?: ImportMapping } = {},
  ) {
    const by = { id: user.id, role: user.role }
    const isLong = await withClaims(database, claimsOf(session), async (db) => {
      const { row_count } = await claimStep(db, id, step, more.version)
      if (more.how) await saveMapping(db, id, more.how)
      const goesOn = queue !== undefined && row_count > ROWS_AT_ONCE
      if (goesOn) await enqueueStep(db, queue, { id, step, by })
      return goesOn
    })
    if (!isLong) await runStep({ database, log, countries }, id, step, by)
    return { import: await withClaims(database, claimsOf(session), (db) => findImport(db, id)) }
  }

  router.handle(listImportRows, async ({ db }, { params, query }) => {
    if (query.format === 'csv') {
      const { file_name } = await findImport(db, params.id)
      const { rows } = await findRows(db, params.id, { ...query, page: 1, per_page: MAX_ROWS })
      return savedPlan(path.parse(file_name).name, rows) as never
    }
    return { ...(await findRows(db, params.id, query)), page: query.page, per_page: query.per_page }
  })
  router.handle(getImportRow, ({ db }, { params }) => findRow(db, params.id, params.row_number))

  router.handle(decideImportRow, async ({ db }, { params, body }) => {
    await decideRow(db, params.id, params.row_number, body, countries())
    return { import: await findImport(db, params.id), row: (await findRow(db, params.id, params.row_number)).row }
  })
  router.handle(decideImportRows, async ({ db }, { params, body }) => {
    const decided = await decideRest(db, params.id, body)
    return { import: await findImport(db, params.id), decided }
  })

  router.handle(publishLocaleImport, async ({ db, user }, { params, body }) => {
    const by = { id: user.id, role: user.role }
    const countryName = (code: string) => countries().find(code)?.name ?? null
    return { published: await publishImport(db, params.id, body.count, { by, countryName }) }
  })

  router.handle(removeLocaleImport, async ({ db }, { params }) => {
    const { status } = await findImport(db, params.id)
    const { numDeletedRows } = await db
      .deleteFrom('locale_imports')
      .where('id', '=', params.id)
      .where('status', 'in', ['uploaded', 'planned', 'undone'])
      .executeTakeFirst()
    if (Number(numDeletedRows) === 0)
      throw new AppError(409, 'wrong_state', status === 'committed' ? IN_FORCE : 'This import is being worked on.')
    return { removed: true as const }
  })

  router.act(exportLocales, async ({ database, session, user, now }, { query }) => {
    const options = { by: user, nameOf: countries().nameOf }
    const lines = await withClaims(database, claimsOf(session), (db) => linesToSave(db, query, options))
    return savedLines(lines, query.format, now)
  })
}

const IN_FORCE = 'This import is in force. Undo it first.'

function fileName(rawName: string | undefined): string {
  const name = path.posix.basename((rawName ?? '').replaceAll('\\', '/')).replace(/[\p{Cc}\p{Cf}]/gu, '')
  return name.toWellFormed().slice(0, 200) || 'file'
}
