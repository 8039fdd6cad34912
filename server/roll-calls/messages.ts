import type { AnnouncementText } from '#server/notifications/announcements/create.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import texts from './messages.json' with { type: 'json' }

export type TextKey = keyof (typeof texts)['en']

/** One sentence; what is filled in is never taken for a placeholder. */
export const translate = (language: Language, key: TextKey, values: Record<string, string> = {}): string =>
  texts[language][key]
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
    .replace(/ {2,}/g, ' ')
    .trim()

/** The same in both languages, as an announcement wants it. */
export const inBoth = (of: (language: Language) => AnnouncementText): Record<Language, AnnouncementText> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<Language, AnnouncementText>

/** The name of a country as the reader's language has it; nothing for a code that is none. */
export function countryIn(language: Language, code: string | null): string {
  if (!code) return ''
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code
}
