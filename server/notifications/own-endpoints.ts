import { AppError } from '#shared/errors.ts'
import {
  getNotificationStats,
  getOwnNotificationStats,
  getUnread,
  listNotifications,
  readAllNotifications,
  readNotification,
  removeNotification,
} from '#shared/notifications/own.ts'
import { isAdmin } from '#shared/roles.ts'
import { audit } from '../audit/writing.ts'
import { personZone } from '../countries/person-zone.ts'
import { asPortal } from '../db/claims.ts'
import type { Db } from '../db/connection.ts'
import type { Door } from '../http/door.ts'
import type { SignedIn } from '../http/session.ts'
import { countUnread, listTold, lookAtBell, markRead, putAway, type Reader, statsOf } from './inbox.ts'

/** The bell and its list: what a person was told in the portal. */
export function ownNotifications(door: Door, { timeZone }: { timeZone: () => string }) {
  const self = (db: Db, { id, role }: SignedIn) => readerOf(db, { id, role }, timeZone())

  /** Oneself; administrators ask for anybody. To others nobody else is there. */
  async function asked(db: Db, user: SignedIn, id: string): Promise<Reader> {
    if (id === user.id) return self(db, user)
    const person = isAdmin(user.role)
      ? await db.selectFrom('user_profiles').select('role').where('id', '=', id).executeTakeFirst()
      : undefined
    if (!person) throw new AppError(404, 'no_user', 'There is no such person.')
    return readerOf(db, { id, role: person.role }, timeZone())
  }

  door.handle(listNotifications, async ({ db, session }, { params, query }) =>
    listTold(db, await asked(db, session.user!, params.id), query),
  )

  door.handle(getNotificationStats, async ({ db, session }, { params }) =>
    statsOf(db, await asked(db, session.user!, params.id)),
  )

  door.handle(getOwnNotificationStats, async ({ db, session }) => statsOf(db, await self(db, session.user!)))

  door.handle(getUnread, async ({ db, session }) => lookAtBell(db, await self(db, session.user!)))

  door.handle(readAllNotifications, async ({ db, session }, { params }) => {
    const user = session.user!
    const reader = await asked(db, user, params.id)
    if (reader.id === user.id) await markRead(db, reader)
    else {
      await asPortal(db, () => markRead(db, reader))
      await audit(db, user, { action: 'notification.read_all', subject_type: 'user', subject_id: reader.id })
    }
    return { unreadCount: await countUnread(db, reader) }
  })

  door.handle(readNotification, async ({ db, session }, { params }) => {
    const reader = await self(db, session.user!)
    if (!(await markRead(db, reader, params.id))) throw unknown()
    return { unreadCount: await countUnread(db, reader) }
  })

  door.handle(removeNotification, async ({ db, session }, { params }) => {
    const user = session.user!
    const reader = await self(db, user)
    const isDone = (await putAway(db, reader, params.id)) || (isAdmin(user.role) && (await remove(db, user, params.id)))
    if (!isDone) throw unknown()
    return { unreadCount: await countUnread(db, reader) }
  })
}

const unknown = () => new AppError(404, 'no_notification', 'There is no such notification.')

async function readerOf(db: Db, { id, role }: Pick<SignedIn, 'id' | 'role'>, portalZone: string): Promise<Reader> {
  const profile = await db
    .selectFrom('user_profiles')
    .select(['created_at', 'time_zone', 'country_code', 'phone_number as phone'])
    .where('id', '=', id)
    .executeTakeFirst()
  return {
    id,
    role,
    since: profile?.created_at ?? new Date(0),
    timeZone: profile ? personZone(profile, portalZone) : portalZone,
  }
}

/** An administrator takes back what was told to others. */
async function remove(db: Db, user: SignedIn, id: string): Promise<boolean> {
  const row = await db
    .deleteFrom('notifications')
    .where('id', '=', id)
    .returning(['user_id', 'recipient_role', 'type', 'title'])
    .executeTakeFirst()
  if (row)
    await audit(db, user, { action: 'notification.remove', subject_type: 'notification', subject_id: id, before: row })
  return row !== undefined
}
