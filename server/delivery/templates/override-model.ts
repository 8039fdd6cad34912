import type { Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { CachedTable } from '#server/readmodel/model.ts'
import { TemplateContent } from '#shared/delivery/template-content.ts'
import { problemsOfOverride } from './override-rules.ts'
import { setOverrides } from './overrides.ts'
import { TEXTS, type Template } from './render.ts'

export const isTemplate = (name: string): name is Template => Object.hasOwn(TEXTS.en.templates, name)

/** Template overrides in memory, identical on every node. An invalid row leaves the built-in text in force. */
export function createOverrides(log: Log): CachedTable {
  const reportInvalid = (template: string, reason: string) =>
    log.error({ template, reason }, 'a template override cannot be used')
  return {
    table: 'message_templates',
    async load(db: Db) {
      const rows = await db
        .selectFrom('message_templates')
        .distinctOn(['name', 'language'])
        .select(['name', 'language', 'content'])
        .orderBy('name')
        .orderBy('language')
        .orderBy('version', 'desc')
        .execute()
      const changed = rows.flatMap(({ name, language, content }) => {
        if (content === null) return []
        const read = TemplateContent.safeParse(content)
        const isFit = read.success && isTemplate(name) && Object.keys(problemsOfOverride(name, read.data)).length === 0
        if (!isFit) reportInvalid(name, read.success ? 'its variables do not fit' : 'its form does not fit')
        return isFit ? [{ name, language, content: read.data }] : []
      })
      setOverrides(changed, reportInvalid)
    },
  }
}
