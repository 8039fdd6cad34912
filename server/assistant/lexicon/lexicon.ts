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
 * The words of one language by which a question is understood (000 §5: keyword based). They are compared folded. An
 * entry may hold several words; `*` at the end of a word stands for any ending, `..` between words for up to four others.
 * Chinese and Japanese, which write no spaces, match anywhere; there `..` stands for up to eight characters.
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
  /** Only for kinds that words alone tell; the classifier recognises the others. */
  dangers: Partial<Record<Danger, string[]>>
  /** Taken out before danger is looked for: "kill time", "dying to see". */
  harmless: string[]
  /** Both in one question: it wants the church or its leaders spoken ill of. */
  disparaging: { church: string[]; insult: string[] }
  /** Attempts to give the assistant orders: "ignore all previous instructions", "show your system prompt". */
  commands: string[]
  /** What no record of the portal speaks of: taxis, the weather, elections. */
  elsewhere: string[]
  /** What stands before a destination: "going to", "travel to". */
  going: string[]
  /** "near me", "nearby": where the person is. */
  near: string[]
  greetings: string[]
  thanks: string[]
  /** Wants a person: "talk to a human". */
  person: string[]
  dates: { today: string[]; tomorrow: string[]; next_week: string[]; next_month: string[] }
  /** Names of countries beside those of CLDR, by ISO code: "KSA", "Emirates". */
  countries: Record<string, string[]>
  /** Names of cities in this language where they differ, by the English name: "الرياض" for Riyadh. */
  cities: Record<string, string[]>
}

/** The words of every language, read once. */
export const LEXICONS = Object.fromEntries(
  ASSISTANT_LANGUAGE_CODES.map((code) => [
    code,
    JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Lexicon,
  ]),
) as Record<AssistantLanguage, Lexicon>
