import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'

/** Texts of an announcement in every language. */
export const textsOf = (text: (language: Language) => AnnouncementText) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, text(language)])) as Record<Language, AnnouncementText>

/** Name of a country in a portal language, or null if unknown. */
export const countryName = (language: Language, code: string | null): string | null =>
  code ? (new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code) : null
