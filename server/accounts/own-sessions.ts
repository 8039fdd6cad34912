import { sql } from 'kysely'
import { endSession, getUser, listSessions, signOut } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { Door } from '../http/door.ts'
import { deviceOf } from './device.ts'
import { clearedCookie } from './session-cookie.ts'
import { authUserOf } from './user.ts'

/** Who is signed in, where else, and signing out: here, there or everywhere. */
export function ownSessions(door: Door, parts: { isSecure: boolean }) {
  door.act(getUser, async ({ database, session }) => ({
    user: await authUserOf(database.requests.kysely, session.user!.id),
    expires_at: Math.floor((session.expiresAt?.valueOf() ?? 0) / 1000),
  }))

  door.act(signOut, async ({ database, session, setCookies }, { body }) => {
    // Also for somebody whose session is over: the cookie goes in any case.
    if (body.scope !== 'others') setCookies([clearedCookie(parts.isSecure)])
    if (!session.id || !session.authUserId) return { ended: 0 }
    const own = database.requests.kysely.deleteFrom('auth_sessions').where('user_id', '=', session.authUserId)
    const which = body.scope === 'global' ? own : own.where('id', body.scope === 'local' ? '=' : '!=', session.id)
    const { numDeletedRows } = await which.executeTakeFirst()
    return { ended: Number(numDeletedRows) }
  })

  door.act(listSessions, async ({ database, session }) => {
    const rows = await database.requests.kysely
      .selectFrom('auth_sessions')
      .select(['id', 'user_agent', 'way', 'created_at', 'updated_at'])
      .where('user_id', '=', session.authUserId!)
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('updated_at', 'desc')
      .limit(100)
      .execute()
    const sessions = rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.user_agent),
      way: row.way,
      created_at: row.created_at.toISOString(),
      last_used_at: row.updated_at.toISOString(),
      is_current: row.id === session.id,
    }))
    return { sessions }
  })

  door.act(endSession, async ({ database, session }, { params }) => {
    const { numDeletedRows } = await database.requests.kysely
      .deleteFrom('auth_sessions')
      .where('id', '=', params.id)
      .where('user_id', '=', session.authUserId!)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError(404, 'session_not_found', 'There is no such session.')
    return { ended: Number(numDeletedRows) }
  })
}
