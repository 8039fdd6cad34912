import { USER_TABS, type UserTab } from '#shared/accounts/users.ts'

/** URL parameters that filter the list. */
export const USER_FILTERS = ['search', 'role', 'status', 'provider', 'country', 'method', 'age', 'suggested'] as const

/** The tab of a URL: new accounts by default, unless the URL searches all. */
export function tabOf(params: URLSearchParams): UserTab {
  const tab = USER_TABS.find((known) => known === params.get('tab'))
  // Only new accounts can be suggested.
  if (!tab && params.get('suggested')) return 'new'
  return tab ?? (USER_FILTERS.some((name) => params.get(name)) ? 'all' : 'new')
}
