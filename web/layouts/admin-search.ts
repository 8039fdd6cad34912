import { accessOfPage } from '#shared/page-access.ts'
import { mayPass, type Role } from '#shared/roles.ts'
import type { Translate } from '#web/lib/i18n.tsx'
import { menuFor } from './admin-menu.ts'
import { NAVIGATION } from './navigation.ts'

/** 001 §2: keywords of the global search and their target pages, for any role. */
const KEYWORDS: readonly { keywords: readonly string[]; to: string }[] = [
  { keywords: ['dashboard', 'home', 'admin'], to: '/admin' },
  { keywords: ['users'], to: '/admin/users' },
  { keywords: ['pdos', 'applications'], to: '/admin/pdos-applications' },
  { keywords: ['ai', 'chat', 'assistant'], to: '/ai-chat' },
  { keywords: ['advisories'], to: '/travel-advisories' },
  { keywords: ['church', 'locator'], to: '/church-locator' },
  { keywords: ['inquiries'], to: '/inquiries' },
  { keywords: ['case', 'cases', 'help', 'danger'], to: '/admin/assistant/cases' },
  { keywords: ['fact', 'facts', 'hotline', 'hotlines'], to: '/admin/assistant/facts' },
  { keywords: ['knowledge'], to: '/admin/assistant/knowledge' },
  { keywords: ['unanswered', 'questions'], to: '/admin/assistant' },
  { keywords: ['roll', 'call', 'rollcall', 'roll-call', 'safe'], to: '/admin/roll-calls' },
]

/** Pages that exist without a menu item. */
const PAGES_WITHOUT_LINE: ReadonlySet<string> = new Set(['/admin'])

/** Target by the keyword table alone; null for unknown words. 'user maria' passes the name as a filter. */
export function mapped(text: string): string | null {
  const term = plain(text)
  if (/^user \S/.test(term)) return `/admin/users?search=${encodeURIComponent(term.slice(5))}`
  const tokens = term.split(' ')
  return KEYWORDS.find((row) => tokens.every((token) => row.keywords.includes(token)))?.to ?? null
}

/** A page by its menu label in the user's language. */
export interface NamedPage {
  to: string
  label: string
}

/** Subpages that can be searched by their own name. */
const BELOW = [
  { to: '/admin/notifications/new', label: 'page_new_notice' },
  { to: '/admin/notifications/templates', label: 'page_templates' },
  { to: '/admin/notifications/reminders', label: 'page_reminders' },
  { to: '/admin/assistant/facts', label: 'page_facts' },
  { to: '/admin/assistant/knowledge', label: 'page_knowledge' },
] as const

/** The pages of a role, by their labels in the user's language. */
export const namedPages = (role: Role, t: Translate<'admin'>): NamedPage[] =>
  [...menuFor(role).flatMap(({ items }) => items), ...BELOW.filter(({ to }) => mayPass(accessOfPage(to), role))].map(
    ({ to, label }) => ({ to, label: t(label) }),
  )

/**
 * Target of Enter: first by keyword, then by page name. A page that rejects this role, or that does not exist yet, is
 * no match (C-59).
 */
export function findPage(text: string, role: Role, pages: readonly NamedPage[]): string | null {
  const to = mapped(text)
  if (to && answers(to, role)) return to
  const term = plain(text)
  return pages.find(({ label }) => plain(label) === term)?.to ?? null
}

/** Pages whose name contains the text, for the suggestions. */
export function pagesLike(text: string, pages: readonly NamedPage[]): NamedPage[] {
  const term = plain(text)
  return term === '' ? [] : pages.filter(({ label }) => plain(label).includes(term))
}

function answers(to: string, role: Role): boolean {
  const [path = ''] = to.split('?')
  const lines = menuFor(role).flatMap(({ items }) => items)
  const known = [...lines, ...BELOW, ...NAVIGATION].map(({ to }) => to)
  return (known.includes(path) || PAGES_WITHOUT_LINE.has(path)) && mayPass(accessOfPage(path), role)
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s/]+/g, ' ')
    .trim()
