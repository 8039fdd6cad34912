import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import type { AdminLanguage, Language, Localized } from '#shared/language.ts'

/** Texts of an announcement to helpers, in the languages of the administration. */
export const textsOf = (text: (language: AdminLanguage) => AnnouncementText): Localized<AnnouncementText> => ({
  en: text('en'),
  ar: text('ar'),
})

/** Name of a country in a portal language, or null if unknown. */
export const countryName = (language: Language, code: string | null): string | null =>
  code ? (new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code) : null
