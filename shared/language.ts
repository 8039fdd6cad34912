export const LANGUAGES = ['en', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]
export const DEFAULT_LANGUAGE: Language = 'en'

/** The interface language of a tag ('ar-SA' is Arabic), or undefined if the portal does not support it. */
export function languageOf(tag: string | null | undefined): Language | undefined {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0]
  return LANGUAGES.find((language) => language === primary)
}

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
