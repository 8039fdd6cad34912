import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import texts from './messages.json' with { type: 'json' }

export type TextKey = keyof (typeof texts)['en']

/** Translates one sentence in one pass, so a value is never taken for a placeholder. */
export const translate = (language: Language, key: TextKey, values: Record<string, string> = {}): string =>
  texts[language][key]
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
    .replace(/ {2,}/g, ' ')
    .trim()

/** The same in both languages, as an announcement needs it. */
export const inBoth = (of: (language: Language) => AnnouncementText): Record<Language, AnnouncementText> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<Language, AnnouncementText>

/** Country name in the reader's language; nothing for an invalid code. */
export function countryIn(language: Language, code: string | null): string {
  if (!code) return ''
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code
}
