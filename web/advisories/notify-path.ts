/** Of more countries than these nobody chooses all. */
const MAX_NAMED = 30

/** Where one subscribes to what an advisory is about; it leads by the way of signing in, for those who have not. */
export function notifyPath(countries: readonly { code: string }[]): string {
  const codes = countries.length <= MAX_NAMED ? countries.map(({ code }) => code) : []
  return `/dashboard/subscriptions/new${codes.length > 0 ? `?country=${codes.join()}` : ''}`
}
