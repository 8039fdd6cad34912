import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import type { Session } from '#server/http/session.ts'
import { authUserIdOf } from '#server/http/session.ts'
import { endSession, getUser, listSessions, signOut } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { auditOwn } from './audit.ts'
import { deviceOf } from './device.ts'
import { clearedCookie } from './session-cookie.ts'
import { authUserOf } from './user.ts'

/** The current session, other sessions of the user, and signing out: here, elsewhere or everywhere. */
export function registerOwnSessions(router: Router, deps: { isSecure: boolean }) {
  router.act(getUser, async ({ database, session, user }) => ({
    user: await authUserOf(database.requests.kysely, user.id),
    expires_at: Math.floor((session.expiresAt?.valueOf() ?? 0) / 1000),
  }))

  router.act(signOut, async ({ database, session, setCookies }, { body }) => {
    // Also when the session has ended: the cookie is cleared in any case.
    if (body.scope !== 'others') setCookies([clearedCookie(deps.isSecure)])
    return { ended: await endOwnSessions(database, session, body.scope) }
  })

  router.act(listSessions, async ({ database, session }) => {
    const rows = await database.requests.kysely
      .selectFrom('auth_sessions')
      .select(['id', 'user_agent', 'sign_in_method', 'created_at', 'updated_at'])
      .where('user_id', '=', authUserIdOf(session))
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('updated_at', 'desc')
      .limit(100)
      .execute()
    const sessions = rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.user_agent),
      way: row.sign_in_method,
      created_at: row.created_at.toISOString(),
      last_used_at: row.updated_at.toISOString(),
      is_current: row.id === session.id,
    }))
    return { sessions }
  })

  router.act(endSession, async ({ database, session }, { params }) => {
    const ended = await endOwnSessions(database, session, { id: params.id })
    if (ended === 0) throw new AppError(404, 'session_not_found', 'Session not found.')
    return { ended }
  })
}

/**
 * Ends the caller's session, all others, all, or one by its id, with an audit entry. Returns their number. `by`
 * names the cause, unless it was the user.
 */
export async function endOwnSessions(
  database: Database,
  session: Session,
  scope: 'local' | 'others' | 'global' | { id: string },
  by?: 'another_sign_in',
): Promise<number> {
  const { id, authUserId } = session
  if (!id || !authUserId) return 0
  return database.requests.kysely.transaction().execute(async (db) => {
    const own = db.deleteFrom('auth_sessions').where('user_id', '=', authUserId)
    const chosen =
      scope === 'global'
        ? own
        : scope === 'others'
          ? own.where('id', '!=', id)
          : own.where('id', '=', scope === 'local' ? id : scope.id)
    const ended = Number((await chosen.executeTakeFirst()).numDeletedRows)
    if (ended > 0) await auditOwn(db, session, 'user.sessions', { after: { ended, ...(by ? { by } : {}) } })
    return ended
  })
}
