/** The interface languages. Adding one: its texts in `public/locales`, and what the type checker asks for. */
export const LANGUAGES = ['en', 'ar', 'tl'] as const
export type Language = (typeof LANGUAGES)[number]
export const DEFAULT_LANGUAGE: Language = 'en'

/** The names of the languages in themselves. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', ar: 'العربية', tl: 'Tagalog' }

/**
 * BCP 47 tags for `lang`, `hreflang` and the Intl functions, which write Arabic with digits 0-9. Tagalog is `fil` there:
 * devices and voices are listed under it.
 */
export const LANGUAGE_TAGS: Record<Language, string> = { en: 'en', ar: 'ar', tl: 'fil' }
export const FORMAT_TAGS: Record<Language, string> = { en: 'en', ar: 'ar-u-nu-latn', tl: 'fil' }

/** The interface language of a tag ('ar-SA' is Arabic, 'fil' Tagalog), or undefined if the portal does not support it. */
export function languageOf(tag: string | null | undefined): Language | undefined {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0]
  return LANGUAGES.find((language) => language === primary || LANGUAGE_TAGS[language] === primary)
}

/** The languages of the administration. */
export type AdminLanguage = Exclude<Language, 'tl'>

/** The language in which a reader of `language` sees the administration, and what is written to helpers. */
export const adminLanguage = (language: Language): AdminLanguage => (language === 'tl' ? 'en' : language)

export const isAdminLanguage = (language: Language): language is AdminLanguage => adminLanguage(language) === language

/** A text written by a user, in English and perhaps in other languages. */
export type Localized<T> = { en: T } & { [L in Exclude<Language, 'en'>]?: T | undefined }

/** The text in this language, or in English where it is missing or empty. */
export const inLanguage = <T>(texts: Localized<T>, language: Language): T => texts[language] || texts.en

/** A value for each language. */
export const inEachLanguage = <T>(of: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<Language, T>

/** 001 §1: right to left if the language starts with ar. */
export const directionOf = (language: string): 'rtl' | 'ltr' => (language.startsWith('ar') ? 'rtl' : 'ltr')

/**
 * Query parameter lng, then cookie, then browser; otherwise English. Local storage (001 §1) is left out: the server
 * renders the page and cannot read it, and the choice is in the cookie.
 */
export function detectLanguage(hints: {
  query?: string | null
  cookie?: string | null
  /** Accept-Language header, or navigator.languages joined by commas. */
  browser?: string | null
}): Language {
  return languageOf(hints.query) ?? languageOf(hints.cookie) ?? browserLanguage(hints.browser) ?? DEFAULT_LANGUAGE
}

function browserLanguage(header: string | null | undefined): Language | undefined {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry, position) => {
      const [tag, ...parameters] = entry.split(';')
      const quality = Number(parameters.find((p) => p.trim().startsWith('q='))?.split('=')[1] ?? 1)
      return { tag, quality: Number.isFinite(quality) ? quality : 0, position }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.position - b.position)
  for (const { tag } of wanted) {
    const language = languageOf(tag)
    if (language) return language
  }
  return undefined
}
