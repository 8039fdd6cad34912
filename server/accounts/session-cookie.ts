/** Prefix of all account cookies: over TLS a browser accepts them from this host only, for all paths. */
export const cookiePrefix = (isSecure: boolean) => (isSecure ? '__Host-mfa' : 'mfa')

export const cookieName = (isSecure: boolean) => `${cookiePrefix(isSecure)}.session_token`

/** Cookie name before the portal used __Host-; a browser that still has it gets the new one. */
const FORMER_COOKIE = '__Secure-mfa.session_token'

export const cookieAttributes = (isSecure: boolean, seconds: number) =>
  `Max-Age=${seconds}; Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`

/** A Set-Cookie line that clears the session cookie. */
export const clearedCookie = (isSecure: boolean) => `${cookieName(isSecure)}=; ${cookieAttributes(isSecure, 0)}`

/** The token of a request: a browser's cookie or a client's bearer token. */
export function tokenOf(headers: Headers, isSecure: boolean): string | undefined {
  const bearer = /^Bearer\s+(\S{16,256})$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer) return bearer
  const cookie = cookieOf(headers, cookieName(isSecure)) ?? (isSecure ? cookieOf(headers, FORMER_COOKIE) : undefined)
  // The signature after the dot is better-auth's; the token alone cannot be guessed.
  return cookie === undefined ? undefined : decodeURIComponent(cookie).split('.')[0]
}

/** True when a program presents a token, whatever its form. */
export const hasBearer = (headers: Headers) => /^Bearer\s/i.test(headers.get('authorization') ?? '')

/** Set-Cookie lines that replace the former cookie by the current one; none when there is nothing to replace. */
export function renamedCookie(headers: Headers, isSecure: boolean, seconds: number): string[] {
  const former = isSecure ? cookieOf(headers, FORMER_COOKIE) : undefined
  if (former === undefined) return []
  const removed = `${FORMER_COOKIE}=; ${cookieAttributes(isSecure, 0)}`
  if (cookieOf(headers, cookieName(isSecure)) !== undefined) return [removed]
  return [`${cookieName(isSecure)}=${former}; ${cookieAttributes(isSecure, seconds)}`, removed]
}

function cookieOf(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
