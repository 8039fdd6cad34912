import { withClaims } from '#server/db/claims.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import { registerImports } from '#server/imports/endpoints.ts'
import { publishLocaleImport } from '#shared/churches/imports.ts'
import { exportLocales } from '#shared/churches/managed-list.ts'
import type { ChurchDeps } from '../deps.ts'
import { localeImportAdapter } from './adapter.ts'
import { linesToSave, savedLines } from './export-locales.ts'
import { publishImport } from './publish-import.ts'

/** Imports of locales from a file, publishing what an import created, and the export that an import reads back. */
export function registerLocaleImports(router: Router, deps: ChurchDeps) {
  const { countries } = deps
  registerImports(router, localeImportAdapter(deps), deps)

  router.handle(publishLocaleImport, async ({ db, user }, { params, body }) => {
    const by = { id: user.id, role: user.role }
    const countryName = (code: string) => countries().find(code)?.name ?? null
    return { published: await publishImport(db, params.id, body.count, { by, countryName }) }
  })

  router.act(exportLocales, async ({ database, session, user, now }, { query }) => {
    const options = { by: user, nameOf: countries().nameOf }
    const lines = await withClaims(database, claimsOf(session), (db) => linesToSave(db, query, options))
    return savedLines(lines, query.format, now)
  })
}
