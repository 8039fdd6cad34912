const YEAR_SECONDS = 365 * 24 * 3600

/** Choices stored in a browser: its language, and the country whose emergency page it opened last. */
export type Choice = 'lng' | 'place'

/** Cookies of choices. Not secret, but over TLS another host on the same domain must not choose for the reader. */
export function choiceCookies(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:')
  return {
    /** The choice; a cookie from before the names had a prefix still counts. */
    find: (headers: Headers, choice: Choice): string | undefined =>
      cookieIn(headers, `__Host-${choice}`) ?? cookieIn(headers, choice),

    /** A Set-Cookie line that stores a choice for a year. */
    line: (choice: Choice, value: string): string =>
      `${isSecure ? '__Host-' : ''}${choice}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`,
  }
}

function cookieIn(headers: Headers, name: string): string | undefined {
  const cookies = headers.get('cookie')
  return cookies ? new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(cookies)?.[1] : undefined
}
