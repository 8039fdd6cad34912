import type { EmergencyService, Entities, Intent, IntentAnalysis } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** What is known beside the words of a question. */
export interface Circumstances {
  now: Date
  /** A language tag; decides where the question is too short to tell. */
  interfaceLanguage?: string | null
  /** Answer in this one, whatever was asked in. */
  chosen?: AssistantLanguage | null
  /** The language in which the question before was answered: a few words do not leave it. */
  previousLanguage?: AssistantLanguage | null
  /** Of the question before, for "and on Sunday?". */
  previous?: Entities | null
  previousIntent?: Intent | null
}

/** A name in a question that no place has. */
export interface UnknownPlace {
  /** As it was written. */
  name: string
  /** What it may have been meant to be, to be asked. */
  meant: readonly { city: string | null; country: string }[]
}

/** A question as the assistant understands it. */
export interface Understood {
  /** The language it is asked in; English where none of the twelve can be told (LANG-06). */
  language: AssistantLanguage
  /** From 0 to 1, among the twelve. */
  languageConfidence: number
  /** It is surely enough in another language than English to be answered in it (LANG-07). */
  isLocalized: boolean
  /** The language to answer in: the chosen one, the one asked in where that is sure, else that of the interface. */
  answerIn: AssistantLanguage
  analysis: IntentAnalysis
  /** Danger is told in plain words, not only guessed from what the sentence is like. */
  isDangerPlain: boolean
  /** The service whose number or address is asked for. */
  service: EmergencyService | null
  /** It speaks of a place that nobody knows; then none is taken from the question before. */
  unknownPlace: UnknownPlace | null
  /** Further countries that have a city of the name it says, where nothing says which is meant. */
  otherCountries: readonly string[]
  /** It has nothing of its own but what it adds to the question before: "and on Sunday?". */
  isFollowUp: boolean
  /** It wants the church or its leaders spoken ill of. */
  isDisparaging: boolean
  /** It tries to give the assistant orders. */
  isCommand: boolean
  wantsPerson: boolean
  /** It is a greeting and nothing else. */
  isGreeting: boolean
  /** It is thanks and nothing else. */
  isThanks: boolean
  /** It asks for what is near the person. */
  isNear: boolean
  /** The question folded, without control characters, for keys of caches and for searches. */
  folded: string
  /** The same without names of places, which tell nothing of danger. */
  placeless: string
  /** It has no letter and no digit. */
  isEmpty: boolean
}

export type Understand = (question: string, circumstances: Circumstances) => Understood
