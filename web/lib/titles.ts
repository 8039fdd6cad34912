import type { Language } from '#shared/language.ts'
import { openPages } from '#shared/pages/open.ts'
import { translator } from './i18n.tsx'

/** What a page's loader may return of the page itself. */
export interface PageData {
  /** Its own title, with the language if that is not the user's: the name of a record. */
  title?: string
  title_language?: string
  description?: string
}

/** '{text} - {product name}'; the product name alone on the landing page and if nothing else is known (C-08). */
export function documentTitle(language: Language, pathname: string, own?: string, pages = openPages): string {
  const t = translator(language, 'common')
  // Old addresses of the administration have the titles of the present ones (C-06).
  const key = pages.nearestPage(pathname.replace(/^\/internal(?=\/)/, ''), 'title')?.title
  const text = own ?? (key && t(key))
  return text ? `${text} - ${t('brand')}` : t('brand')
}
