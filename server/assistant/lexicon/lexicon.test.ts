import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  CONTACT_ROLES,
  CONTACT_TYPES,
  type Danger,
  DOCUMENT_TYPES,
  EMERGENCY_SERVICES,
  EMERGENCY_TYPES,
  INTENTS,
  PURPOSES,
  SERVICE_TYPES,
  WEEKDAYS,
} from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { fold } from '#shared/countries/fold.ts'
import alone from './alone.json' with { type: 'json' }
import type { Lexicon } from './lexicon.ts'

const Entries = z.array(z.string()).min(1)
const by = (keys: readonly string[]) => z.strictObject(Object.fromEntries(keys.map((key) => [key, Entries])))

/** Kinds of danger with word lists; the classifier recognises the others. */
const LISTED_DANGERS = [
  'self_harm',
  'violence',
  'trafficking',
  'withheld_passport',
] as const satisfies readonly Danger[]

const LexiconShape: z.ZodType<Lexicon> = z.strictObject({
  intents: by(INTENTS),
  serviceType: by(SERVICE_TYPES),
  dayOfWeek: by(WEEKDAYS),
  contactType: by(CONTACT_TYPES),
  role: by(CONTACT_ROLES),
  purpose: by(PURPOSES),
  documentType: by(DOCUMENT_TYPES),
  emergencyType: by(EMERGENCY_TYPES),
  service: by(EMERGENCY_SERVICES),
  dangers: by(LISTED_DANGERS),
  harmless: Entries,
  disparaging: by(['church', 'insult']),
  commands: Entries,
  elsewhere: Entries,
  going: Entries,
  near: Entries,
  greetings: Entries,
  thanks: Entries,
  person: Entries,
  dates: by(['today', 'tomorrow', 'next_week', 'next_month']),
  countries: z.record(z.string().regex(/^[A-Z]{2}$/), Entries),
  cities: z.record(z.string().min(2), Entries),
}) as never

const WITHOUT_SPACES: readonly AssistantLanguage[] = ['zh', 'ja']

/**
 * Words that mean danger in any context. Tagalog, Arabic and Korean have more of them, since one word includes the
 * object ("sinampal": was slapped; "ضربني": he hit me).
 */
const ALONE: Partial<Record<AssistantLanguage, string>> = alone

const fileOf = (code: AssistantLanguage) => new URL(`./${code}.json`, import.meta.url)
const read = (code: AssistantLanguage) => JSON.parse(readFileSync(fileOf(code), 'utf8')) as Lexicon

/** Every list of a lexicon with its path: `dangers.self_harm`. */
function listsOf(lexicon: Lexicon): [path: string, entries: readonly string[]][] {
  return Object.entries(lexicon).flatMap(([name, value]: [string, string[] | Record<string, string[]>]) =>
    Array.isArray(value)
      ? [[name, value] as [string, string[]]]
      : Object.entries(value).map(([key, entries]): [string, string[]] => [`${name}.${key}`, entries]),
  )
}

const faults = (lexicon: Lexicon, isWrong: (entry: string) => boolean) =>
  listsOf(lexicon).flatMap(([path, entries]) => entries.filter(isWrong).map((entry) => `${path}: ${entry}`))

describe.each(ASSISTANT_LANGUAGE_CODES)('the lexicon of %s', (code) => {
  const lexicon = read(code)

  test('covers every topic of a question, and no other', () => {
    expect(LexiconShape.safeParse(lexicon).error?.issues ?? []).toEqual([])
  })

  test('has no duplicates in a list, whatever the spelling', () => {
    const twice = listsOf(lexicon).flatMap(([path, entries]) => {
      const folded = entries.map(fold)
      return entries.filter((_, i) => folded.indexOf(folded[i]!) < i).map((entry) => `${path}: ${entry}`)
    })
    expect(twice).toEqual([])
  })

  test('contains words after folding', () => {
    expect(faults(lexicon, (entry) => !/[\p{L}\p{N}]/u.test(fold(entry)))).toEqual([])
    expect(faults(lexicon, (entry) => entry !== entry.trim() || / {2}/.test(entry))).toEqual([])
  })

  test('has open ends only after a word and gaps only between words', () => {
    const spaced = !WITHOUT_SPACES.includes(code)
    const gap = spaced ? / \.\. / : /\s?\.\.\s?/
    const isWrong = (entry: string) =>
      entry.split(gap).some((part) => part.trim() === '' || part.includes('..') || /(^|\s)\*|\*(?!\s|$)/.test(part))
    expect(faults(lexicon, isWrong)).toEqual([])
  })

  test.skipIf(WITHOUT_SPACES.includes(code))('lists no ambiguous single word as a danger', () => {
    const allowed = (ALONE[code] ?? '').split(' ')
    const single = LISTED_DANGERS.flatMap((danger) => lexicon.dangers[danger] ?? []).filter(
      (entry) => !/[\s-]/.test(entry.trim()),
    )
    expect(single.filter((entry) => !allowed.includes(entry))).toEqual([])
  })
})
