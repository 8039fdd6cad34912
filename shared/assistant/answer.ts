import * as z from 'zod'
import { IntentAnalysis } from './intents.ts'
import { ASSISTANT_LANGUAGE_CODES } from './languages.ts'

/**
 * Outcome of a question. answered: all of it, from records. partly: some of it. unknown: no record covers it. refused:
 * courteously, with the reason. handed_over: a person takes over. fallback: answered from records because no model was
 * available.
 */
export const ANSWER_STATUSES = ['answered', 'partly', 'unknown', 'refused', 'handed_over', 'fallback'] as const
export type AnswerStatus = (typeof ANSWER_STATUSES)[number]

export const RECORD_KINDS = ['advisory', 'country', 'locale', 'chapter', 'fact', 'faq', 'page', 'own'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Source of a statement; `[1]` in the text refers to citation number 1. */
export const Citation = z.object({
  n: z.number().int().positive(),
  record: z.string().describe('Kind and id of the record, such as fact:pdos.validity'),
  kind: z.enum(RECORD_KINDS),
  title: z.string(),
  url: z.string().nullable().describe('Page of the portal, or URL of the official source'),
  source: z.string().nullable().describe('Name of the source'),
  checked_on: z.string().nullable().describe('Date last confirmed, YYYY-MM-DD'),
  changed_on: z.string().nullish().describe('Date the content last changed, YYYY-MM-DD'),
  is_expired: z.boolean().describe('Confirmed too long ago to rely on'),
  excerpt: z.string().nullable(),
})
export type Citation = z.infer<typeof Citation>

/** `send` asks the question in `value`; `navigate` opens that path; `call` dials that number. */
export const QuickAction = z.object({
  label: z.string(),
  action: z.enum(['send', 'navigate', 'call']),
  value: z.string(),
})
export type QuickAction = z.infer<typeof QuickAction>

export const MapLocale = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string().nullable(),
  latitude: z.number(),
  longitude: z.number(),
  is_area: z.boolean().describe('Only the area is public, not the address'),
})
export type MapLocale = z.infer<typeof MapLocale>

/** An emergency number, from a fact of kind hotline. */
export const Hotline = z.object({
  record: z.string(),
  label: z.string().describe('Purpose, in the language of the answer'),
  name: z.string().nullable().describe('Name of the organisation in its own language'),
  phone: z.string(),
  hours: z.string().nullable(),
  url: z.string().nullable(),
  checked_on: z.string(),
  is_expired: z.boolean(),
})
export type Hotline = z.infer<typeof Hotline>

/** Shown before the answer if a person may be in danger, in the language of the answer. */
export const DangerPanel = z.object({
  dangers: IntentAnalysis.shape.dangers,
  country: z.string().nullable(),
  country_name: z.string().nullable(),
  title: z.string(),
  message: z.string(),
  hotlines: z.array(Hotline),
  texts: z
    .object({
      leave_quickly: z.string(),
      call_back: z.string(),
      call_back_help: z.string(),
      safe_phone: z.string(),
      safe_time: z.string(),
      send: z.string(),
      notify_coordinator: z.string(),
      notify_coordinator_help: z.string(),
      nothing_kept: z.string(),
      keep_here: z.string(),
      choose_country: z.string(),
    })
    .describe('Labels of the buttons and fields'),
})
export type DangerPanel = z.infer<typeof DangerPanel>

/** One calm line before the answer if the user may be in danger but did not clearly say so. */
export const HelpLine = z.object({
  text: z.string().describe('Text in the language of the answer, including the number'),
  hotline: Hotline.nullable().describe('Null if no number is known'),
  country: z.string().nullable(),
  page_label: z.string().describe('Label of the link to the emergency page'),
})
export type HelpLine = z.infer<typeof HelpLine>

export const AnswerMetadata = z.object({
  status: z.enum(ANSWER_STATUSES),
  language: z.enum(ASSISTANT_LANGUAGE_CODES),
  direction: z.enum(['ltr', 'rtl']),
  citations: z.array(Citation),
  records: z.array(z.string()).describe('All records behind the answer, the same in every language'),
  intent_analysis: IntentAnalysis.nullable(),
  quickActions: z.array(QuickAction),
  mapLocales: z.array(MapLocale),
  danger: DangerPanel.nullable(),
  help_line: HelpLine.nullable(),
  notify: z
    .object({ title: z.string(), help: z.string(), send: z.string() })
    .nullable()
    .describe(
      'Label of the button that alerts a coordinator immediately (D-16) and opens a case; signed-in users only',
    ),
  notice: z.string().nullable().describe('Notice that the model gave no result, in the language of the answer'),
  warning: z.string().nullable().describe('Records that could not be looked up'),
  question_id: z.uuid().nullable().describe('Id of the answer, for rating it'),
  conversation_id: z.uuid().nullable(),
  tokens_used: z.number().int(),
  model_used: z.string().nullable(),
  processing_time_ms: z.number().int(),
  error: z.boolean(),
  errorMessage: z.string().nullable(),
})
export type AnswerMetadata = z.infer<typeof AnswerMetadata>

/** One answer: Markdown without raw HTML, with its metadata. */
export const Answer = z.object({ content: z.string().min(1), format: z.literal('markdown'), metadata: AnswerMetadata })
export type Answer = z.infer<typeof Answer>

/** A message as stored by the chat screen (000 §3). */
export interface ChatMessage {
  id: string
  content: string
  sender: 'user' | 'assistant'
  timestamp: string
  status: 'sending' | 'delivered'
  format: 'text' | 'markdown'
  replyTo: string | null
  metadata: AnswerMetadata | null
}
