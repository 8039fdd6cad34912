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

/** A record that something in an answer rests on. */
export interface Source extends Omit<Citation, 'n'> {
  kind: RecordKind
}

/** Something that is said of the world: in Markdown, in the language of the answer, with the records that say it. */
export interface Statement {
  text: string
  records: readonly string[]
}

/** A list of statements under one that leads them. A lead without records asserts nothing ("About PDOS:"). */
export interface Section {
  lead: Statement | null
  statements: readonly Statement[]
  /** A model may change the order of these: nothing in it warns, counts, ranks, or is needed whole. */
  isFree?: boolean
}

/**
 * An answer before its statements are in their last order: what was gathered and how each piece is said. A model may say
 * which of them comes first, and nothing else.
 */
export interface Draft {
  language: AssistantLanguage
  status: AnswerStatus
  analysis: IntentAnalysis
  /** Phrases that assert nothing: a greeting, a question back, where to go on. */
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

/** Who asks and how, beside the words. */
export interface Asking {
  now: Date
  language: AssistantLanguage
  /** Of the caller, where signed in: to look up what is their own. */
  user: { id: string; name: string; country: string | null } | null
  location: { latitude: number; longitude: number } | null
  signal: AbortSignal
}
