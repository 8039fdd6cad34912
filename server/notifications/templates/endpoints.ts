import {
  changeTemplate,
  getTemplate,
  listTemplates,
  previewTemplate,
  restoreTemplate,
} from '#shared/notifications/templates.ts'
import { withClaims } from '../../db/claims.ts'
import { claimsOf, type Door } from '../../http/door.ts'
import type { ReadModel } from '../../readmodel/model.ts'
import type { SettingsModel } from '../../settings/settings.ts'
import * as keeping from './keeping.ts'

export interface TemplateParts {
  settings: SettingsModel
  publicUrl: string
  readModel: Pick<ReadModel, 'catchUp'>
}

/** The words of messages, as administrators keep them. */
export function templateEndpoints(door: Door, { settings, publicUrl, readModel }: TemplateParts) {
  const frame = () => ({ brand: settings.get('brand'), publicUrl })

  door.handle(listTemplates, async ({ db }) => ({ templates: await keeping.listTemplates(db) }))
  door.handle(getTemplate, ({ db }, { params }) => keeping.getTemplate(db, params.name, params.language, frame()))
  door.handle(previewTemplate, async (_, { params, body }) => {
    const template = keeping.templateOf(params.name)
    keeping.checkWords(template, body.words)
    return { preview: keeping.previewOf(template, params.language, body.words, frame()) }
  })

  // Messages of this node have the words as soon as the answer is there; those of others a moment later.
  door.act(changeTemplate, async ({ database, session }, { params, body }) => {
    const version = await withClaims(database, claimsOf(session), (db) =>
      keeping.changeTemplate(db, params, body.words, body.version, session.user!),
    )
    await readModel.catchUp().catch(() => {})
    return { version }
  })
  door.act(restoreTemplate, async ({ database, session }, { params, body }) => {
    const version = await withClaims(database, claimsOf(session), (db) =>
      keeping.restoreTemplate(db, params, body.restore, body.version, session.user!),
    )
    await readModel.catchUp().catch(() => {})
    return { version }
  })
}
