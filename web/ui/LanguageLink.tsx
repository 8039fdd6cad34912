import { useLocation } from 'react-router'
import { directionOf, type Language } from '#shared/language.ts'
import { useLanguage } from '#web/lib/i18n.tsx'

export const OWN_NAMES: Record<Language, string> = { en: 'English', ar: 'العربية' }

/** The same page in the other language, always visible and in its own script. Loads a new document. */
export function LanguageLink() {
  const { pathname, search } = useLocation()
  const other: Language = useLanguage() === 'ar' ? 'en' : 'ar'
  const query = new URLSearchParams(search)
  query.set('lng', other)
  return (
    // The server drops unknown query parameters; both URLs lead to the same page.
    <a href={`${pathname}?${query}`} hrefLang={other} lang={other} dir={directionOf(other)} suppressHydrationWarning>
      {OWN_NAMES[other]}
    </a>
  )
}
