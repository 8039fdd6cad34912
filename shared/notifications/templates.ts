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
      version: z.int().describe('0: the portal’s own words'),
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
  summary: 'Every message the portal can send, and whose words it has in each language',
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
  summary: 'Templates that a mail can be sent by, in both languages',
  response: z.object({ templates: z.array(Listed) }),
})
export const listSmsTemplates = endpoint({
  method: 'GET',
  path: '/admin-operations/sms-templates',
  access: 'manageNotifications',
  summary: 'Templates that a text message can be sent by, in both languages',
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
  preview: Preview.describe('With made-up values'),
  history: z.array(
    z.object({
      version: z.int(),
      words: TemplateContent.nullable().describe('Null: the portal’s own words were taken back'),
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
  summary: 'The words of one message in one language, how it reads, and its earlier words',
  params: Params,
  response: Detail,
})

export const previewTemplate = endpoint({
  method: 'POST',
  path: '/admin-operations/message-templates/{name}/{language}/preview',
  access: 'manageNotifications',
  summary: 'How a message would read in other words; nothing is kept',
  params: Params,
  body: z.strictObject({ words: TemplateContent }),
  response: z.object({ preview: Preview }),
})

const seen = z.int().min(0).optional().describe('The version that was looked at')
export const changeTemplate = endpoint({
  method: 'PUT',
  path: '/admin-operations/message-templates/{name}/{language}',
  access: 'manageNotifications',
  summary: 'Gives a message other words, as a new version; null takes the portal’s own back',
  params: Params,
  body: z.strictObject({ words: TemplateContent.nullable(), version: seen }),
  response: z.object({ version: z.int() }),
})

export const restoreTemplate = endpoint({
  method: 'POST',
  path: '/admin-operations/message-templates/{name}/{language}/restore',
  access: 'manageNotifications',
  summary: 'Makes earlier words the latest version again',
  params: Params,
  body: z.strictObject({ restore: z.coerce.number().int().min(1), version: seen }),
  response: z.object({ version: z.int() }),
})
