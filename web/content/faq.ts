import type { FaqEntry } from '#shared/content/endpoints.ts'
import type { Key } from '#web/lib/i18n.tsx'

export interface Category {
  name: string
  entries: FaqEntry[]
}

/** Categories in page order. */
export function categoriesOf(faq: readonly FaqEntry[]): Category[] {
  const names = [...new Set(faq.map(({ category }) => category))]
  return names.map((name) => ({ name, entries: faq.filter(({ category }) => category === name) }))
}

/** The title of a category; a custom category is shown under its own name. */
export function categoryTitle(t: (key: Key<'content'>) => string, name: string): string {
  const key = `faq_category_${name}`
  const title = t(key as Key<'content'>)
  return title === key ? name : title
}
