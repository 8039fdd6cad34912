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
  record: z.string().describe('Kind and id of the record, as in fact:pdos.validity'),
  kind: z.enum(RECORD_KINDS),
  title: z.string(),
  url: z.string().nullable().describe('Inside the portal, or of the official source'),
  source: z.string().nullable().describe('Who says so'),
  checked_on: z.string().nullable().describe('When it was last confirmed, YYYY-MM-DD'),
  changed_on: z.string().nullish().describe('When what it says last changed, YYYY-MM-DD'),
  is_expired: z.boolean().describe('It was last confirmed too long ago to rely on'),
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
  is_area: z.boolean().describe('Only the neighbourhood is told, not the house'),
})
export type MapLocale = z.infer<typeof MapLocale>

/** An emergency number, from a fact of kind hotline. */
export const Hotline = z.object({
  record: z.string(),
  label: z.string().describe('What it is for, in the language of the answer'),
  name: z.string().nullable().describe('Of the organisation, as it calls itself'),
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
    .describe('Of the buttons and fields beside it'),
})
export type DangerPanel = z.infer<typeof DangerPanel>

/** One calm line before the answer if the user may be in danger but did not clearly say so. */
export const HelpLine = z.object({
  text: z.string().describe('In the language of the answer, with the number in it'),
  hotline: Hotline.nullable().describe('Null where no number is known'),
  country: z.string().nullable(),
  page_label: z.string().describe('Of the link to the emergency page'),
})
export type HelpLine = z.infer<typeof HelpLine>

export const AnswerMetadata = z.object({
  status: z.enum(ANSWER_STATUSES),
  language: z.enum(ASSISTANT_LANGUAGE_CODES),
  direction: z.enum(['ltr', 'rtl']),
  citations: z.array(Citation),
  records: z.array(z.string()).describe('Every record the answer rests on, in any language the same'),
  intent_analysis: IntentAnalysis.nullable(),
  quickActions: z.array(QuickAction),
  mapLocales: z.array(MapLocale),
  danger: DangerPanel.nullable(),
  help_line: HelpLine.nullable(),
  notify: z
    .object({ title: z.string(), help: z.string(), send: z.string() })
    .nullable()
    .describe('Words of a button by which whoever is signed in has a coordinator told at once (D-16); opens a case'),
  notice: z.string().nullable().describe('That a model is set up and gave nothing, in the language of the answer'),
  warning: z.string().nullable().describe('What could not be looked up'),
  question_id: z.uuid().nullable().describe('Names the answer when it is rated'),
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
