import type {
  AnswerStatus,
  Citation,
  DangerPanel,
  HelpLine,
  MapLocale,
  QuickAction,
  RecordKind,
} from '#shared/assistant/answer.ts'
import type { IntentAnalysis } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** A record that part of an answer rests on. */
export interface Source extends Omit<Citation, 'n'> {
  kind: RecordKind
}

/** An assertion, as Markdown in the language of the answer, with the records that support it. */
export interface Statement {
  text: string
  records: readonly string[]
}

/** A list of statements with an optional lead. A lead without records asserts nothing ("About PDOS:"). */
export interface Section {
  lead: Statement | null
  statements: readonly Statement[]
  /** The model may reorder these: none of them warns, counts, ranks, or must be read as a whole. */
  isFree?: boolean
}

/**
 * An answer before its final order: the gathered records and how each is worded. The model may only choose which
 * statements come first.
 */
export interface Draft {
  language: AssistantLanguage
  status: AnswerStatus
  analysis: IntentAnalysis
  /** Phrases that assert nothing: a greeting, a follow-up question, where to go next. */
  opening: readonly string[]
  sections: readonly Section[]
  closing: readonly string[]
  sources: readonly Source[]
  quickActions: readonly QuickAction[]
  mapLocales: readonly MapLocale[]
  danger: DangerPanel | null
  helpLine: HelpLine | null
  /** What could not be looked up. */
  warning: string | null
}

/** The caller and the language, besides the question. */
export interface AskContext {
  now: Date
  language: AssistantLanguage
  /** The signed-in caller, for looking up their own records. */
  user: { id: string; name: string; country: string | null } | null
  location: { latitude: number; longitude: number } | null
  signal: AbortSignal
}
