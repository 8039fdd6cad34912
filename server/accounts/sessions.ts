import { sql } from 'kysely'
import { inBatches } from '#server/db/batches.ts'
import type { Database } from '#server/db/connection.ts'
import type { ReadSession, Session, SignedIn } from '#server/http/session.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { isCoordinator, isScoped, type Role } from '#shared/roles.ts'
import { MAX_SESSION_SECONDS, SESSION_SECONDS } from './auth.ts'
import { needsSecondFactor } from './second-factor-rule.ts'
import { hasBearer, tokenOf } from './session-cookie.ts'
import { hashToken } from './token-hash.ts'

/**
 * Resolves the caller from the database at every request: a revoked role, a suspension or an ended session takes effect
 * at once. The role comes only from user_profiles; without a profile there is no user (F-01, F-02).
 */
export function createReadSession(deps: {
  database: Database
  settings: SettingsModel
  isSecure: boolean
  log: Log
}): ReadSession {
  const find = inBatches((tokens: string[]) => findSessions(deps.database, tokens), { maxRunning: 4 })
  return async (request, address) => {
    const nobody: Session = { user: null, address }
    const invalid: Session = { ...nobody, ended: hasBearer(request.headers) ? 'invalid_token' : 'expired' }
    let token: string | undefined
    try {
      token = tokenOf(request.headers, deps.isSecure)
    } catch {
      return nobody
    }
    if (!token) return hasBearer(request.headers) ? invalid : nobody
    try {
      const row = await find(hashToken(token))
      return row ? sessionOf(row, address, deps.settings) : invalid
    } catch (error) {
      deps.log.warn({ reason: (error as Error).message }, 'a session could not be read')
      return { ...nobody, isUnknown: true }
    }
  }
}

/** Maximum age of a session from sign-in, however often it is extended; hub sessions are short. */
export const maxSessionSeconds = (role: Role, method: string): number =>
  MAX_SESSION_SECONDS[method === 'mcgi-hub' || isCoordinator(role) ? 'coordinator' : 'traveler']

type Row = NonNullable<Awaited<ReturnType<typeof findSessions>>[number]>

/** The sessions of these hashed tokens, in order; undefined for one that never began or was ended. */
async function findSessions(database: Database, tokens: string[]) {
  const rows = await database.requests.kysely
    .selectFrom('auth_sessions as s')
    .innerJoin('user_profiles as p', 'p.auth_user_id', 's.user_id')
    .innerJoin('auth_users as u', 'u.id', 's.user_id')
    .select([
      's.token',
      's.id',
      's.user_id',
      's.sign_in_method',
      's.created_at',
      's.expires_at',
      's.updated_at',
      's.second_factor_at',
    ])
    .select('u.two_factor_enabled')
    .select(['p.id as profile_id', 'p.display_name', 'p.role', 'p.profile_status', 'p.time_zone'])
    .select(['p.scope_countries', 'p.scope_chapters', 'p.scope_everywhere', 'p.role_ends_at'])
    .select(sql<boolean>`s.expires_at <= now()`.as('is_expired'))
    .where('s.token', '=', sql<string>`any(${tokens}::text[])`)
    .execute()
  const byToken = new Map(rows.map((row) => [row.token, row]))
  return tokens.map((token) => byToken.get(token))
}

function sessionOf(row: Row, address: string, settings: SettingsModel): Session {
  if (row.is_expired) return { user: null, address, ended: 'expired' }
  if (row.profile_status === 'suspended' || row.profile_status === 'deleted')
    return { user: null, address, ended: 'suspended' }
  const hasEnded = row.role_ends_at !== null && row.role_ends_at <= new Date()
  const role = hasEnded ? 'traveler' : row.role
  const user: SignedIn = {
    id: row.profile_id,
    name: row.display_name,
    role,
    ...(row.time_zone ? { timeZone: row.time_zone } : {}),
    ...(isScoped(role) && !row.scope_everywhere
      ? { scope: { countries: row.scope_countries, chapters: row.scope_chapters } }
      : {}),
  }
  // Started as a traveler's, for two weeks: a user who has become a coordinator since gets only a day of it.
  const lasts = SESSION_SECONDS[isCoordinator(user.role) ? 'coordinator' : 'traveler'] * 1000
  const end = row.created_at.valueOf() + maxSessionSeconds(user.role, row.sign_in_method) * 1000
  if (Math.min(row.updated_at.valueOf() + lasts, end) < Date.now()) return { user: null, address, ended: 'expired' }
  const known = {
    address,
    id: row.id,
    authUserId: row.user_id,
    expiresAt: new Date(Math.min(row.expires_at.valueOf(), end)),
    ...(row.role_ends_at && !hasEnded ? { roleEndsAt: row.role_ends_at } : {}),
    hasSecondFactor: Boolean(row.two_factor_enabled),
  }
  if (row.second_factor_at) return { ...known, user }
  if (row.two_factor_enabled) return { ...known, user: null, waiting: { ...user, for: 'code' } }
  if (needsSecondFactor(user.role, settings)) return { ...known, user: null, waiting: { ...user, for: 'enrolment' } }
  return { ...known, user }
}
