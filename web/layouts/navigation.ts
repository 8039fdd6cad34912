import type { Key } from '#web/lib/i18n.tsx'

export interface NavigationItem {
  to: string
  label: Key<'common'>
  /** Further URL prefixes that belong to this item. */
  covers?: readonly string[]
}

/**
 * The menu in the order of the specification: Home, Travel Advisories, Travel FAQ, Find Churches, PDOS Registration,
 * Inquiries; after them the assistant. A capability adds its item once its page exists.
 */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/', label: 'nav_home' },
  { to: '/travel-advisories', label: 'nav_travel_advisories', covers: ['/countries'] },
  { to: '/travel-faq', label: 'nav_travel_faq' },
  { to: '/church-locator', label: 'nav_church_locator' },
  { to: '/ai-chat', label: 'nav_ai_chat' },
]

export function isCurrent({ to, covers = [] }: NavigationItem, pathname: string): boolean {
  if (to === '/') return pathname === '/'
  return [to, ...covers].some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))
}

/** Pages on which ticker, footer and the back-to-top link are hidden. */
export const isChat = (pathname: string) => pathname === '/ai-chat' || pathname.startsWith('/ai-chat/')
