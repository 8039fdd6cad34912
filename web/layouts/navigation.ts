import type { PageEntry } from '#shared/pages/entry.ts'
import { OPEN_PAGES, openPages } from '#shared/pages/open.ts'
import type { Key } from '#web/lib/i18n.tsx'

export interface NavigationItem {
  to: string
  label: Key<'common'>
}

/** The menu of the public pages. */
export const NAVIGATION: readonly NavigationItem[] = Object.entries<PageEntry>(OPEN_PAGES).flatMap(([to, { nav }]) =>
  nav ? { to, label: nav } : [],
)

/** Whether an item is the current page or above it, by URL or else by breadcrumb. */
export function isCurrent({ to }: NavigationItem, pathname: string): boolean {
  const { nearestPage } = openPages
  const above = nearestPage(pathname, 'nav')?.path ?? nearestPage(pathname, 'parent')?.parent
  return above === to
}

/** Pages on which ticker, footer and the back-to-top link are hidden. */
export const isChat = (pathname: string) => pathname === '/ai-chat' || pathname.startsWith('/ai-chat/')
