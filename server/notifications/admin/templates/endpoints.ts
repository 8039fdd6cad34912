import { withClaims } from '#server/db/claims.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import {
  changeTemplate,
  getTemplate,
  listTemplates,
  previewTemplate,
  restoreTemplate,
} from '#shared/notifications/templates.ts'
import * as overrides from './versions.ts'

export interface TemplateDeps {
  settings: SettingsModel
  publicUrl: string
  readModel: Pick<ReadModel, 'catchUp'>
}

/** Message templates, as edited by administrators. */
export function templateEndpoints(router: Router, { settings, publicUrl, readModel }: TemplateDeps) {
  const frame = () => ({ brand: settings.get('brand'), publicUrl })

  router.handle(listTemplates, async ({ db }) => ({ templates: await overrides.listTemplates(db) }))
  router.handle(getTemplate, ({ db }, { params }) => overrides.getTemplate(db, params.name, params.language, frame()))
  router.handle(previewTemplate, async (_, { params, body }) => {
    const template = overrides.templateOf(params.name)
    overrides.checkContent(template, body.words)
    return { preview: overrides.previewOf(template, params.language, body.words, frame()) }
  })

  // This node uses the new text once the response is sent; other nodes follow a moment later.
  router.act(changeTemplate, async ({ database, session, user }, { params, body }) => {
    const version = await withClaims(database, claimsOf(session), (db) =>
      overrides.changeTemplate(db, params, body.words, body.version, user),
    )
    await readModel.catchUp().catch(() => {})
    return { version }
  })
  router.act(restoreTemplate, async ({ database, session, user }, { params, body }) => {
    const version = await withClaims(database, claimsOf(session), (db) =>
      overrides.restoreTemplate(db, params, body.restore, body.version, user),
    )
    await readModel.catchUp().catch(() => {})
    return { version }
  })
}
