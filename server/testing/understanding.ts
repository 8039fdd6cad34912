import { existsSync, readFileSync } from 'node:fs'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import type { Lexicon } from '../assistant/lexicon/lexicon.ts'
import { createUnderstanding } from '../assistant/understanding/understand.ts'
import type { Circumstances } from '../assistant/understanding/understood.ts'
import { createCountries } from '../countries/reference.ts'

const fileOf = (code: AssistantLanguage) => new URL(`../assistant/lexicon/${code}.json`, import.meta.url)

/** The languages that have their words. */
export const LANGUAGES_WITH_WORDS = ASSISTANT_LANGUAGE_CODES.filter((code) => existsSync(fileOf(code)))

const lexicons = Object.fromEntries(
  LANGUAGES_WITH_WORDS.map((code) => [code, JSON.parse(readFileSync(fileOf(code), 'utf8')) as Lexicon]),
)

/** A Saturday. */
export const ASKED_AT = new Date('2026-11-21T09:00:00Z')

const understanding = createUnderstanding({ lexicons, countries: createCountries().all() })

/** What the portal understands of a question, on a Saturday in November 2026. */
export const understand = (question: string, circumstances: Partial<Circumstances> = {}) =>
  understanding(question, { now: ASKED_AT, ...circumstances })
