import type { Router } from '#server/http/router.ts'
import { writeAndRefresh } from '#server/http/writes.ts'
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
  readModel: Pick<ReadModel, 'refresh'>
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

  router.act(changeTemplate, (ctx, { params, body }) =>
    writeAndRefresh(ctx, readModel, async (db) => ({
      version: await overrides.changeTemplate(db, params, body.words, body.version, ctx.user),
    })),
  )
  router.act(restoreTemplate, (ctx, { params, body }) =>
    writeAndRefresh(ctx, readModel, async (db) => ({
      version: await overrides.restoreTemplate(db, params, body.restore, body.version, ctx.user),
    })),
  )
}
