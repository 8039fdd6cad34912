import type { AdminLanguage, Language } from '#shared/language.ts'
import texts from './messages.json' with { type: 'json' }

/** What recipients read; helpers read the rest, in the languages of the administration. */
type RecipientKey = keyof (typeof texts)['tl']
type TextKey = keyof (typeof texts)[AdminLanguage]
type Values = Record<string, string>

/** Translates one sentence in one pass, so a value is never taken for a placeholder. */
export function translate(language: Language, key: RecipientKey, values?: Values): string
export function translate(language: AdminLanguage, key: TextKey, values?: Values): string
export function translate(language: Language, key: TextKey, values: Values = {}): string {
  const own: Partial<Record<TextKey, string>> = texts[language]
  return (own[key] ?? texts.en[key])
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Country name in the helper's language; nothing for an invalid code. */
export function countryIn(language: AdminLanguage, code: string | null): string {
  if (!code) return ''
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code
}
