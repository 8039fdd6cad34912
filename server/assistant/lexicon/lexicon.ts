import { readFileSync } from 'node:fs'
import type {
  CONTACT_ROLES,
  CONTACT_TYPES,
  Danger,
  DOCUMENT_TYPES,
  EMERGENCY_SERVICES,
  EMERGENCY_TYPES,
  Intent,
  PURPOSES,
  SERVICE_TYPES,
  WEEKDAYS,
} from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'

type By<T extends readonly string[]> = Record<T[number], string[]>

/**
 * Keywords of one language for interpreting questions (000 §5: keyword based). They are compared folded. An entry may
 * have several words; `*` at the end of a word stands for any ending, `..` between words for up to four others. Chinese
 * and Japanese are written without spaces and match anywhere; there `..` stands for up to eight characters.
 */
export interface Lexicon {
  intents: Record<Intent, string[]>
  serviceType: By<typeof SERVICE_TYPES>
  dayOfWeek: By<typeof WEEKDAYS>
  contactType: By<typeof CONTACT_TYPES>
  role: By<typeof CONTACT_ROLES>
  purpose: By<typeof PURPOSES>
  documentType: By<typeof DOCUMENT_TYPES>
  emergencyType: By<typeof EMERGENCY_TYPES>
  service: By<typeof EMERGENCY_SERVICES>
  /** Only for kinds that keywords identify reliably; the classifier recognises the others. */
  dangers: Partial<Record<Danger, string[]>>
  /** Removed before looking for danger: "kill time", "dying to see". */
  harmless: string[]
  /** Both in one question: it asks the assistant to disparage the church or its leaders. */
  disparaging: { church: string[]; insult: string[] }
  /** Prompt injection: "ignore all previous instructions", "show your system prompt". */
  commands: string[]
  /** Topics without any portal records: taxis, the weather, elections. */
  elsewhere: string[]
  /** Phrases before a destination: "going to", "travel to". */
  going: string[]
  /** "near me", "nearby": the user's location. */
  near: string[]
  greetings: string[]
  thanks: string[]
  /** Asks for a person: "talk to a human". */
  person: string[]
  dates: { today: string[]; tomorrow: string[]; next_week: string[]; next_month: string[] }
  /** Country names in addition to those of CLDR, by ISO code: "KSA", "Emirates". */
  countries: Record<string, string[]>
  /** City names that differ in this language, by the English name: "الرياض" for Riyadh. */
  cities: Record<string, string[]>
}

/** Lexicons of every language, read once. */
export const LEXICONS = Object.fromEntries(
  ASSISTANT_LANGUAGE_CODES.map((code) => [
    code,
    JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Lexicon,
  ]),
) as Record<AssistantLanguage, Lexicon>
