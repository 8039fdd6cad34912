import type { EmergencyService, Entities, Intent, IntentAnalysis } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** Context of a question. */
export interface QuestionContext {
  now: Date
  /** A language tag; decides if the question is too short to detect its language. */
  interfaceLanguage?: string | null
  /** Forces the answer language. */
  chosen?: AssistantLanguage | null
  /** Language of the previous answer, which a few words do not change. */
  previousLanguage?: AssistantLanguage | null
  /** Entities of the previous question, for "and on Sunday?". */
  previous?: Entities | null
  previousIntent?: Intent | null
}

/** A place name that is in no list. */
export interface UnknownPlace {
  /** As written. */
  name: string
  /** Suggested corrections, to be confirmed by the user. */
  meant: readonly { city: string | null; country: string }[]
}

/** The interpretation of a question. */
export interface Understood {
  /** Language of the question; English if none of the twelve is detected (LANG-06). */
  language: AssistantLanguage
  /** From 0 to 1, among the twelve. */
  languageConfidence: number
  /** Certain enough, and not English, to be the language of the answer (LANG-07). */
  isLocalized: boolean
  /** Language of the answer: the chosen one, else the detected one if certain, else that of the interface. */
  answerIn: AssistantLanguage
  analysis: IntentAnalysis
  /** Danger is stated in plain words, rather than inferred by the classifier. */
  isDangerPlain: boolean
  /** The emergency service whose number or address is requested. */
  service: EmergencyService | null
  /** A place that is in no list; no place is then inherited from the previous question. */
  unknownPlace: UnknownPlace | null
  /** Further countries with a city of this name, if the question does not say which. */
  otherCountries: readonly string[]
  /** Only adds to the previous question: "and on Sunday?". */
  isFollowUp: boolean
  /** Asks the assistant to disparage the church or its leaders. */
  isDisparaging: boolean
  /** Prompt injection. */
  isCommand: boolean
  wantsPerson: boolean
  /** A greeting and nothing else. */
  isGreeting: boolean
  /** Thanks and nothing else. */
  isThanks: boolean
  /** Asks for something near the user. */
  isNear: boolean
  /** The question folded, without control characters, for cache keys and searches. */
  folded: string
  /** The same without place names, which are irrelevant for danger. */
  placeless: string
  /** Contains neither letters nor digits. */
  isEmpty: boolean
}

export type Understand = (question: string, circumstances: QuestionContext) => Understood
