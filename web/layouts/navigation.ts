import type { Key } from '#web/lib/i18n.tsx'

export interface NavigationItem {
  to: string
  label: Key<'common'>
  /** Further addresses that belong to this item, by prefix. */
  covers?: readonly string[]
}

/**
 * The menu in the order of the specification: Home, Travel Advisories, Travel FAQ, Find Churches, PDOS Registration,
 * Inquiries; after them the assistant. A capability adds its line when its page answers.
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

/** Where neither ticker nor footer nor the way back to the top get in the way of the conversation. */
export const isChat = (pathname: string) => pathname === '/ai-chat' || pathname.startsWith('/ai-chat/')
