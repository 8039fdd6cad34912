import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { isTemplate } from '#server/delivery/templates/override-model.ts'
import { problemsOfOverride, variablesOf } from '#server/delivery/templates/override-rules.ts'
import type { Frame } from '#server/delivery/templates/preview.ts'
import { renderText, TEXTS, type Template, type Text, withOverride } from '#server/delivery/templates/render.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import type { TemplateContent } from '#shared/delivery/template-content.ts'
import { AppError } from '#shared/errors.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import type { TemplateDetail, TemplateRow } from '#shared/notifications/templates.ts'
import { samplesIn } from './samples.ts'

/** Versions shown per template; older ones stay in the table. */
const SHOWN = 50

export const noSuchTemplate = () => new AppError(404, 'template_not_found', 'Template not found.')

export function templateOf(name: string): Template {
  if (!isTemplate(name)) throw noSuchTemplate()
  return name
}

export async function listTemplates(db: Db): Promise<TemplateRow[]> {
  const rows = await latest(db)
  return (Object.keys(TEXTS.en.templates) as Template[]).sort().map((name) => ({
    name,
    variables: variablesOf(name),
    languages: LANGUAGES.map((language) => {
      const row = rows.find((row) => row.name === name && row.language === language)
      const override = row?.content as TemplateContent | null | undefined
      return {
        language,
        subject: override?.subject ?? TEXTS[language].templates[name].subject,
        is_changed: Boolean(override),
        version: row?.version ?? 0,
        updated_at: row?.created_at.toISOString() ?? null,
        updated_by_name: row?.by ?? null,
      }
    }),
  }))
}

const latest = (db: Db) =>
  db
    .selectFrom('message_templates as t')
    .leftJoin('user_profiles as p', 'p.id', 't.created_by')
    .distinctOn(['t.name', 't.language'])
    .selectAll('t')
    .select('p.display_name as by')
    .orderBy('t.name')
    .orderBy('t.language')
    .orderBy('t.version', 'desc')
    .execute()

export async function getTemplate(db: Db, name: string, language: Language, frame: Frame): Promise<TemplateDetail> {
  const template = templateOf(name)
  const rows = await db
    .selectFrom('message_templates as t')
    .leftJoin('user_profiles as p', 'p.id', 't.created_by')
    .select(['t.version', 't.content', 't.created_at', 'p.display_name as by'])
    .where('t.name', '=', template)
    .where('t.language', '=', language)
    .orderBy('t.version', 'desc')
    .limit(SHOWN)
    .execute()
  const own = contentOf(TEXTS[language].templates[template])
  const words = (rows[0]?.content as TemplateContent | null | undefined) ?? own
  return {
    name,
    language,
    version: rows[0]?.version ?? 0,
    words,
    own,
    variables: variablesOf(template),
    preview: previewOf(template, language, words, frame),
    history: rows.map((row) => ({
      version: row.version,
      words: row.content as TemplateContent | null,
      created_at: row.created_at.toISOString(),
      created_by_name: row.by,
    })),
  }
}

const contentOf = ({ subject, lines, button, sms }: Text): TemplateContent => ({
  subject,
  lines,
  ...(button ? { button } : {}),
  ...(sms ? { sms } : {}),
})

/** Rendered with sample values; a text that cannot be filled is rejected. */
export function previewOf(template: Template, language: Language, content: TemplateContent, frame: Frame) {
  const text = withOverride(TEXTS[language].templates[template], content)
  const { sms, ...mail } = renderText(text, language, samplesIn(language, frame))
  return { ...mail, sms: sms ?? null }
}

export function checkContent(template: Template, content: TemplateContent): void {
  const fields = problemsOfOverride(template, content)
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'template_invalid', 'Template validation failed', { fields })
}

/** Adds a version; a concurrent change of the same text is reported. */
export async function changeTemplate(
  db: Db,
  { name, language }: { name: string; language: Language },
  content: TemplateContent | null,
  seen: number | undefined,
  by: SignedIn,
  action: AuditAction = content ? 'template.update' : 'template.own',
): Promise<number> {
  const template = templateOf(name)
  if (content) checkContent(template, content)
  const before = await db
    .selectFrom('message_templates')
    .select(['version', 'content'])
    .where('name', '=', template)
    .where('language', '=', language)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const stale = () => new AppError(409, 'stale', 'Someone has changed this since you opened it. Nothing was saved.')
  if (seen !== undefined && seen !== (before?.version ?? 0)) throw stale()
  const version = (before?.version ?? 0) + 1
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('message_templates')
    .values({ name: template, language, version, content: content && JSON.stringify(content), created_by: by.id })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw stale()
  const subject = { subject_type: 'template', subject_id: `${name} ${language}` }
  await audit(db, by, { action, ...subject, before: before?.content ?? null, after: { version, ...content } })
  return version
}

export async function restoreTemplate(
  db: Db,
  of: { name: string; language: Language },
  wanted: number,
  seen: number | undefined,
  by: SignedIn,
): Promise<number> {
  const row = await db
    .selectFrom('message_templates')
    .select('content')
    .where('name', '=', templateOf(of.name))
    .where('language', '=', of.language)
    .where('version', '=', wanted)
    .executeTakeFirst()
  if (!row) throw new AppError(404, 'version_not_found', 'Version not found.')
  return changeTemplate(db, of, row.content as TemplateContent | null, seen, by, 'template.restore')
}
