import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { TABLE_ANSWER } from '#shared/table.ts'
import { text } from '#shared/text.ts'
import { Citation } from './answer.ts'
import { DANGERS } from './intents.ts'
import { ASSISTANT_LANGUAGE_CODES } from './languages.ts'

export const CASE_KINDS = ['hand_over', 'call_back', 'danger'] as const
export type CaseKind = (typeof CASE_KINDS)[number]
export const CASE_STATUSES = ['open', 'taken', 'closed'] as const
export type CaseStatus = (typeof CASE_STATUSES)[number]
/** How a case was opened: from the portal or by text message. */
export const CASE_CHANNELS = ['portal', 'sms', 'whatsapp'] as const
export type CaseChannel = (typeof CASE_CHANNELS)[number]

const country = z.string().regex(/^[A-Z]{2}$/, 'Choose a country')

export const openCase = endpoint({
  method: 'POST',
  path: '/ai/cases',
  access: 'anyone',
  summary: 'Hands a conversation over to a coordinator, requests a call back, or alerts a coordinator to danger',
  body: z
    .strictObject({
      kind: z.enum(CASE_KINDS).describe('danger is never rate limited'),
      messages: z
        .array(z.strictObject({ sender: z.enum(['user', 'assistant']), content: text(20_000) }))
        .max(50)
        .default([])
        .describe('The conversation, if it is not stored on the server'),
      conversation_id: z.uuid().nullable().optional(),
      question_id: z.uuid().nullable().optional(),
      dangers: z.array(z.enum(DANGERS)).max(DANGERS.length).default([]),
      country: country.nullable().optional(),
      language: z.enum(ASSISTANT_LANGUAGE_CODES).default('en'),
      name: text(200).optional(),
      safe_phone: text(40)
        .regex(/^\+?[\d\s().-]{5,40}$/, 'Enter a phone number with its country code, such as +639171234567')
        .optional(),
      safe_time: text(200).optional(),
      note: text(2000).optional(),
    })
    .refine((body) => body.kind !== 'call_back' || body.safe_phone, {
      path: ['safe_phone'],
      message: 'Enter a phone number we can call',
    }),
  response: z.object({
    reference: z.string(),
    content: z.string().describe('What happens next, in the language of the conversation'),
  }),
  status: 201,
})

export const AssistantCase = z.object({
  id: z.uuid(),
  reference: z.string(),
  kind: z.enum(CASE_KINDS),
  channel: z.enum(CASE_CHANNELS),
  dangers: z.array(z.enum(DANGERS)),
  user_id: z.uuid().nullable(),
  name: z.string().nullable(),
  safe_phone: z.string().nullable(),
  safe_time: z.string().nullable(),
  country_code: z.string().nullable(),
  language: z.enum(ASSISTANT_LANGUAGE_CODES),
  summary: z.string().describe('In English'),
  summary_ar: z.string().nullable().describe('In Arabic; null for earlier cases'),
  original_words: z.string(),
  sources: z.array(Citation),
  status: z.enum(CASE_STATUSES),
  taken_by_name: z.string().nullable(),
  taken_at: z.string().nullable(),
  closed_at: z.string().nullable(),
  note: z.string().nullable(),
  is_group: z.boolean().describe('Groups messages from unknown people in one country; each can become its own case'),
  entry_count: z
    .int()
    .describe('Messages after the first; for a group, all messages including those that were only counted'),
  last_entry_at: z.string().nullable(),
  created_at: z.string(),
})
export type AssistantCase = z.infer<typeof AssistantCase>

export const ENTRIES_PER_PAGE = 50

/** One message of a case. */
export const CaseEntry = z.object({
  id: z.uuid(),
  reference: z.string(),
  kind: z.enum(CASE_KINDS),
  dangers: z.array(z.enum(DANGERS)),
  user_id: z.uuid().nullable(),
  name: z.string().nullable(),
  safe_phone: z.string().nullable(),
  safe_time: z.string().nullable(),
  language: z.enum(ASSISTANT_LANGUAGE_CODES),
  words: z.string(),
  is_low: z.boolean().describe('The sender had already sent several messages'),
  alike: z.int().describe('Messages of this case with the same text, including this one'),
  split_to: z.uuid().nullable().describe('Case created from it'),
  received_at: z.string(),
})
export type CaseEntry = z.infer<typeof CaseEntry>

export const listCases = endpoint({
  method: 'GET',
  path: '/admin/assistant/cases',
  access: 'takeCases',
  summary: "Cases handed over by the assistant, danger first, in the caller's scope",
  query: z.strictObject({
    status: z.enum(CASE_STATUSES).optional(),
    country: country.optional(),
    page: z.coerce.number().int().min(1).default(1),
  }),
  response: z.object({ cases: z.array(AssistantCase), ...TABLE_ANSWER }),
})

export const readCase = endpoint({
  method: 'GET',
  path: '/admin/assistant/cases/{id}',
  access: 'takeCases',
  summary: 'One case with its messages; those with a number, a name or unique text come first',
  params: z.strictObject({ id: z.uuid() }),
  query: z.strictObject({ page: z.coerce.number().int().min(1).max(1_000).default(1) }),
  response: z.object({
    case: AssistantCase,
    entries: z.array(CaseEntry),
    stored_entries: z.int().describe('Number of stored messages'),
    numbers: z
      .int()
      .describe('Number of different phone numbers in the messages; messages with a number are always stored'),
    can_translate: z.boolean().describe('Whether a model is available to translate it'),
  }),
})

export const changeCase = endpoint({
  method: 'PUT',
  path: '/admin/assistant/cases/{id}',
  access: 'takeCases',
  summary: 'Accepts, releases, closes (with a note) or reopens a case',
  params: z.strictObject({ id: z.uuid() }),
  body: z
    .strictObject({ status: z.enum(CASE_STATUSES), note: text(2000).optional() })
    .refine((body) => body.status !== 'closed' || body.note, {
      path: ['note'],
      message: 'Enter what was done',
    }),
  response: z.object({ case: AssistantCase }),
})

export const splitEntry = endpoint({
  method: 'POST',
  path: '/admin/assistant/cases/{id}/entries/{entry}/split',
  access: 'takeCases',
  summary: 'Turns one message of a case into its own case',
  params: z.strictObject({ id: z.uuid(), entry: z.uuid() }),
  response: z.object({ case: AssistantCase }),
  status: 201,
})
