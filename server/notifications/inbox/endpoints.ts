import { audit } from '#server/audit/audit-log.ts'
import { userZone } from '#server/countries/user-zone.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import {
  getNotificationStats,
  getOwnNotificationStats,
  getUnread,
  listNotifications,
  readAllNotifications,
  readNotification,
  removeNotification,
} from '#shared/notifications/inbox.ts'
import { isAdmin } from '#shared/roles.ts'
import {
  archiveNotification,
  countUnread,
  listInbox,
  markRead,
  type Reader,
  statsOf,
  summarizeUnread,
} from './queries.ts'

/** The inbox: list and unread count. */
export function ownNotifications(router: Router, { timeZone }: { timeZone: () => string }) {
  const self = (db: Db, { id, role }: SignedIn) => readerOf(db, { id, role }, timeZone())

  /** The caller; administrators may name any user. For everyone else other users do not exist. */
  async function resolveReader(db: Db, user: SignedIn, id: string): Promise<Reader> {
    if (id === user.id) return self(db, user)
    const account = isAdmin(user.role)
      ? await db.selectFrom('user_profiles').select('role').where('id', '=', id).executeTakeFirst()
      : undefined
    if (!account) throw new AppError(404, 'no_user', 'Account not found.')
    return readerOf(db, { id, role: account.role }, timeZone())
  }

  router.handle(listNotifications, async ({ db, user }, { params, query }) =>
    listInbox(db, await resolveReader(db, user, params.id), query),
  )

  router.handle(getNotificationStats, async ({ db, user }, { params }) =>
    statsOf(db, await resolveReader(db, user, params.id)),
  )

  router.handle(getOwnNotificationStats, async ({ db, user }) => statsOf(db, await self(db, user)))

  router.handle(getUnread, async ({ db, user }) => summarizeUnread(db, await self(db, user)))

  router.handle(readAllNotifications, async ({ db, user }, { params }) => {
    const reader = await resolveReader(db, user, params.id)
    if (reader.id === user.id) await markRead(db, reader)
    else {
      await asPortal(db, () => markRead(db, reader))
      await audit(db, user, { action: 'notification.read_all', subject_type: 'user', subject_id: reader.id })
    }
    return { unreadCount: await countUnread(db, reader) }
  })

  router.handle(readNotification, async ({ db, user }, { params }) => {
    const reader = await self(db, user)
    if (!(await markRead(db, reader, params.id))) throw unknown()
    return { unreadCount: await countUnread(db, reader) }
  })

  router.handle(removeNotification, async ({ db, user }, { params }) => {
    const reader = await self(db, user)
    const isDone =
      (await archiveNotification(db, reader, params.id)) || (isAdmin(user.role) && (await remove(db, user, params.id)))
    if (!isDone) throw unknown()
    return { unreadCount: await countUnread(db, reader) }
  })
}

const unknown = () => new AppError(404, 'no_notification', 'Notification not found.')

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
    timeZone: profile ? userZone(profile, portalZone) : portalZone,
  }
}

/** Lets an administrator remove other users' notifications. */
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
