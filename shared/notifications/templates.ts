import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { TemplateContent } from '#shared/delivery/template-content.ts'
import { LANGUAGES } from '#shared/language.ts'

const Variable = z.object({ name: z.string(), isRequired: z.boolean() })
const Row = z.object({
  name: z.string(),
  variables: z.array(Variable),
  languages: z.array(
    z.object({
      language: z.enum(LANGUAGES),
      subject: z.string(),
      is_changed: z.boolean(),
      version: z.int().describe('0: the built-in text'),
      updated_at: z.string().nullable(),
      updated_by_name: z.string().nullable(),
    }),
  ),
})
export type TemplateRow = z.infer<typeof Row>

export const listTemplates = endpoint({
  method: 'GET',
  path: '/admin-operations/message-templates',
  access: 'manageNotifications',
  summary: 'All messages the portal can send, with the languages of their texts',
  response: z.object({ templates: z.array(Row) }),
})

const Listed = z.object({
  id: z.string(),
  name: z.string(),
  language: z.enum(LANGUAGES),
  subject: z.string(),
  content: z.string(),
  variables: z.array(z.string()),
})
export const listEmailTemplates = endpoint({
  method: 'GET',
  path: '/admin-operations/email-templates',
  access: 'manageNotifications',
  summary: 'Templates for emails, in both languages',
  response: z.object({ templates: z.array(Listed) }),
})
export const listSmsTemplates = endpoint({
  method: 'GET',
  path: '/admin-operations/sms-templates',
  access: 'manageNotifications',
  summary: 'Templates for text messages, in both languages',
  response: z.object({ templates: z.array(Listed) }),
})

const Params = z.strictObject({ name: z.string().max(60), language: z.enum(LANGUAGES) })
const Preview = z.object({ subject: z.string(), text: z.string(), html: z.string(), sms: z.string().nullable() })
const Detail = z.object({
  name: z.string(),
  language: z.enum(LANGUAGES),
  version: z.int(),
  words: TemplateContent,
  own: TemplateContent,
  variables: z.array(Variable),
  preview: Preview.describe('With sample values'),
  history: z.array(
    z.object({
      version: z.int(),
      words: TemplateContent.nullable().describe('Null: the built-in text was restored'),
      created_at: z.string(),
      created_by_name: z.string().nullable(),
    }),
  ),
})
export type TemplateDetail = z.infer<typeof Detail>

export const getTemplate = endpoint({
  method: 'GET',
  path: '/admin-operations/message-templates/{name}/{language}',
  access: 'manageNotifications',
  summary: 'The text of a message in one language, with a preview and earlier versions',
  params: Params,
  response: Detail,
})

export const previewTemplate = endpoint({
  method: 'POST',
  path: '/admin-operations/message-templates/{name}/{language}/preview',
  access: 'manageNotifications',
  summary: 'Preview of a message with another text; saves nothing',
  params: Params,
  body: z.strictObject({ words: TemplateContent }),
  response: z.object({ preview: Preview }),
})

const seen = z.int().min(0).optional().describe('The version that was read')
export const changeTemplate = endpoint({
  method: 'PUT',
  path: '/admin-operations/message-templates/{name}/{language}',
  access: 'manageNotifications',
  summary: 'Saves a new version of the text; null restores the built-in text',
  params: Params,
  body: z.strictObject({ words: TemplateContent.nullable(), version: seen }),
  response: z.object({ version: z.int() }),
})

export const restoreTemplate = endpoint({
  method: 'POST',
  path: '/admin-operations/message-templates/{name}/{language}/restore',
  access: 'manageNotifications',
  summary: 'Restores an earlier version as the latest',
  params: Params,
  body: z.strictObject({ restore: z.coerce.number().int().min(1), version: seen }),
  response: z.object({ version: z.int() }),
})
