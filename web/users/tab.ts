import { USER_TABS, type UserTab } from '#shared/accounts/users.ts'

/** Filters of the list, as they are named in the address. */
export const USER_FILTERS = ['search', 'role', 'status', 'provider', 'country', 'method', 'age', 'suggested'] as const

/** The part of the list that an address shows: what waits comes first, unless something is looked for among all. */
export function tabOf(params: URLSearchParams): UserTab {
  const tab = USER_TABS.find((known) => known === params.get('tab'))
  // Only what waits is suggested.
  if (!tab && params.get('suggested')) return 'new'
  return tab ?? (USER_FILTERS.some((name) => params.get(name)) ? 'all' : 'new')
}
