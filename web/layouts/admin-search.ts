import { accessOfPage } from '#shared/page-access.ts'
import { PAGE_PATHS, PAGES, SPECIFIED_PAGES } from '#shared/pages/pages.ts'
import { mayPass, type Role } from '#shared/roles.ts'
import type { Translate } from '#web/lib/i18n.tsx'
import { menuFor } from './admin-menu.ts'

/** Target by keyword alone (001 §2); null for unknown words. 'user maria' passes the name as a filter. */
export function mapped(text: string): string | null {
  const term = plain(text)
  if (/^user \S/.test(term)) return `/admin/users?search=${encodeURIComponent(term.slice(5))}`
  const tokens = term.split(' ')
  const found = Object.entries(SPECIFIED_PAGES).find(([, page]) =>
    tokens.every((token) => page.keywords?.includes(token)),
  )
  return found?.[0] ?? null
}

/** A page by its menu label in the user's language. */
export interface NamedPage {
  to: string
  label: string
}

/** The pages of a role, by their labels in the user's language: those of its menu, and those with a name of their own. */
export function namedPages(role: Role, t: Translate<'admin'>): NamedPage[] {
  const items = menuFor(role).flatMap((group) => group.items.map(({ to, label }) => ({ to, label: t(label) })))
  const others = PAGE_PATHS.flatMap((to) => {
    const { name } = PAGES[to]
    return name && mayPass(accessOfPage(to), role) ? { to, label: t(name) } : []
  })
  return [...items, ...others]
}

/**
 * Target of Enter: first by keyword, then by page name. A page that rejects this role, or that does not exist yet, is
 * no match (C-59).
 */
export function findPage(text: string, role: Role, pages: readonly NamedPage[]): string | null {
  const to = mapped(text)
  const path = to?.split('?')[0]
  if (path && Object.hasOwn(PAGES, path) && mayPass(accessOfPage(path), role)) return to
  const term = plain(text)
  return pages.find(({ label }) => plain(label) === term)?.to ?? null
}

/** Pages whose name contains the text, for the suggestions. */
export function pagesLike(text: string, pages: readonly NamedPage[]): NamedPage[] {
  const term = plain(text)
  return term === '' ? [] : pages.filter(({ label }) => plain(label).includes(term))
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s/]+/g, ' ')
    .trim()
