/** Above this, the user is unlikely to want all of the countries. */
const MAX_NAMED = 30

/** Subscription URL for the countries of an advisory; redirects through sign-in if needed. */
export function notifyPath(countries: readonly { code: string }[]): string {
  const codes = countries.length <= MAX_NAMED ? countries.map(({ code }) => code) : []
  return `/dashboard/subscriptions/new${codes.length > 0 ? `?country=${codes.join()}` : ''}`
}
