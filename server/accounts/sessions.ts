import { sql } from 'kysely'
import { isCoordinator, isScoped } from '#shared/roles.ts'
import type { Database } from '../db/connection.ts'
import type { ReadSession, Session, SignedIn } from '../http/session.ts'
import type { Log } from '../log.ts'
import type { SettingsModel } from '../settings/settings.ts'
import { SESSION_SECONDS } from './auth.ts'
import { needsSecondFactor } from './second-factor-rule.ts'

/** Name of the session cookie: with TLS it can be set by no other host and over nothing else. */
export const cookieName = (isSecure: boolean) => `${isSecure ? '__Secure-' : ''}mfa.session_token`

export const cookieAttributes = (isSecure: boolean, seconds: number) =>
  `Max-Age=${seconds}; Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`

/** A line that takes the session cookie away. */
export const clearedCookie = (isSecure: boolean) => `${cookieName(isSecure)}=; ${cookieAttributes(isSecure, 0)}`

/** The token a request carries: the cookie of a browser, or the bearer token of a program. */
export function tokenOf(headers: Headers, isSecure: boolean): string | undefined {
  const bearer = /^Bearer\s+(\S{16,256})$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer) return bearer
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === cookieName(isSecure))
      // The signature after the dot is better-auth's; the token alone cannot be guessed.
      return decodeURIComponent(pair.slice(at + 1).trim()).split('.')[0]
  }
  return undefined
}

/**
 * Finds out who asks, from the database at every request: a role taken away, a suspension or an end of a session
 * counts at once. A role comes from user_profiles and from nowhere else; without a profile there is nobody (F-01, F-02).
 */
export function createReadSession(parts: {
  database: Database
  settings: SettingsModel
  isSecure: boolean
  log: Log
}): ReadSession {
  return async (request, address) => {
    const nobody: Session = { user: null, address }
    let token: string | undefined
    try {
      token = tokenOf(request.headers, parts.isSecure)
    } catch {
      return nobody
    }
    if (!token) return nobody
    try {
      const row = await lookUp(parts.database, token)
      return row ? sessionOf(row, address, parts.settings) : { ...nobody, ended: 'expired' }
    } catch (error) {
      parts.log.warn({ reason: (error as Error).message }, 'a session could not be read')
      return { ...nobody, isUnknown: true }
    }
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof lookUp>>>

function lookUp(database: Database, token: string) {
  return database.requests.kysely
    .selectFrom('auth_sessions as s')
    .innerJoin('user_profiles as p', 'p.auth_user_id', 's.user_id')
    .innerJoin('auth_users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.expires_at', 's.updated_at', 's.second_factor_at', 'u.two_factor_enabled'])
    .select(['p.id as profile_id', 'p.display_name', 'p.role', 'p.profile_status'])
    .select(['p.scope_countries', 'p.scope_chapters', 'p.scope_everywhere', 'p.role_ends_at'])
    .where('s.token', '=', token)
    .where('s.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

function sessionOf(row: Row, address: string, settings: SettingsModel): Session {
  if (row.profile_status === 'suspended' || row.profile_status === 'deleted')
    return { user: null, address, ended: 'suspended' }
  const hasEnded = row.role_ends_at !== null && row.role_ends_at <= new Date()
  const role = hasEnded ? 'traveler' : row.role
  const person: SignedIn = {
    id: row.profile_id,
    name: row.display_name,
    role,
    ...(isScoped(role) && !row.scope_everywhere
      ? { scope: { countries: row.scope_countries, chapters: row.scope_chapters } }
      : {}),
  }
  // Opened as a traveler's, for two weeks: whoever looks after others since then has only a day of it.
  const lasts = SESSION_SECONDS[isCoordinator(person.role) ? 'coordinator' : 'traveler'] * 1000
  if (row.updated_at.valueOf() + lasts < Date.now()) return { user: null, address, ended: 'expired' }
  const known = {
    address,
    id: row.id,
    authUserId: row.user_id,
    expiresAt: row.expires_at,
    hasSecondFactor: Boolean(row.two_factor_enabled),
  }
  if (row.second_factor_at) return { ...known, user: person }
  if (row.two_factor_enabled) return { ...known, user: null, waiting: { ...person, for: 'code' } }
  if (needsSecondFactor(person.role, settings))
    return { ...known, user: null, waiting: { ...person, for: 'enrolment' } }
  return { ...known, user: person }
}
