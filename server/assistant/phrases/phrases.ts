import { readFileSync } from 'node:fs'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import type en from './en.json'

type PluralSuffix = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other'
type Base<K> = K extends `${infer B}${PluralSuffix}` ? B | K : K
export type PhraseKey = Base<keyof typeof en & string>

const PHRASES = Object.fromEntries(
  ASSISTANT_LANGUAGE_CODES.map((code) => [
    code,
    JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Record<string, string>,
  ]),
) as Record<AssistantLanguage, Record<string, string>>

const PLURALS = Object.fromEntries(
  ASSISTANT_LANGUAGE_CODES.map((code) => [code, new Intl.PluralRules(code)]),
) as Record<AssistantLanguage, Intl.PluralRules>

/**
 * A phrase of the assistant in one of its languages. `count` selects the plural form and is filled in as well; every
 * other name in double braces is replaced by its value.
 */
export function phrase(
  language: AssistantLanguage,
  key: PhraseKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const texts = PHRASES[language]
  const { count } = values
  const keys = typeof count === 'number' ? [`${key}_${PLURALS[language].select(count)}`, `${key}_other`, key] : [key]
  const found = keys.map((k) => texts[k]).find((text) => text !== undefined)
  if (found === undefined) throw new Error(`There is no phrase ${key} in ${language}`)
  return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** Every phrase of a language by its key, for tests and tables. */
export const phrasesOf = (language: AssistantLanguage): Readonly<Record<string, string>> => PHRASES[language]
