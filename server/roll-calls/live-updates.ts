import { sql } from 'kysely'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { claimsOf } from '#server/http/router.ts'
import type { Session } from '#server/http/session.ts'
import type { Rooms } from '#server/realtime/rooms.ts'
import { firstOf } from '#shared/assert.ts'
import { mayPass } from '#shared/roles.ts'
import { IN_SCOPE } from './queries.ts'

const ROOM = /^roll_call:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * Notifies pages showing a roll call that it changed, without details. Each node listens and notifies its own clients.
 */
export const broadcastRollCallChanges = (database: Database, rooms: Pick<Rooms, 'broadcast'>): Promise<void> =>
  database.listen('roll_calls', (id) => {
    if (id) rooms.broadcast(`roll_call:${id}`, 'roll_call', { id })
  })

/** Whether a session may join a room: only those who may see the recipients of the roll call. */
export async function mayHear(database: Database, session: Session, room: string): Promise<boolean> {
  const [, id] = ROOM.exec(room) ?? []
  if (!id || !session.user || !mayPass('rollCalls', session.user.role)) return false
  return withClaims(database, claimsOf(session), async (db) => {
    const { rows } = await sql<{ may: boolean }>`
      select exists (select from roll_calls r where r.id = ${id} and ${IN_SCOPE}) as may`.execute(db)
    return firstOf(rows).may
  })
}
