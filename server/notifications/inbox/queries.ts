import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { NotificationsTable } from '#server/db/tables-notifications.ts'
import { firstOf } from '#shared/assert.ts'
import { MAX_COUNTED, type Notification, type NotificationStats } from '#shared/notifications/inbox.ts'
import type { Role } from '#shared/roles.ts'
import { groupsOf } from './groups.ts'

/** Owner of the inbox. */
export interface Reader {
  id: string
  role: Role
  /** Group notifications from before the user joined are not shown. */
  since: Date
  timeZone: string
}

export interface Wanted {
  limit: number
  offset: number
  unreadOnly: boolean
  type?: string | undefined
}

/** The browser shows a new notification within this time; later it is only listed. */
const ARRIVAL_MINUTES = 5

/** Notifications in the portal to the user or one of their groups, except archived ones. */
function inboxQuery(db: Db, reader: Reader) {
  return (
    db
      .selectFrom('notifications as n')
      .leftJoin('notification_reads as r', (join) =>
        join.onRef('r.notification_id', '=', 'n.id').on('r.user_id', '=', reader.id),
      )
      .where((where) =>
        where.or([
          where('n.user_id', '=', reader.id),
          where.and([
            where('n.recipient_role', 'in', groupsOf(reader.role)),
            where('n.created_at', '>=', reader.since),
          ]),
        ]),
      )
      .where('n.status', '=', 'sent')
      // Others were sent by mail or phone alone.
      .where(sql<boolean>`n.delivery_method && '{in-app,browser}'`)
      .where(sql<boolean>`not coalesce(r.is_archived, false)`)
  )
}

const isUnread = sql<boolean>`coalesce(n.read_at, r.read_at) is null`

export async function listInbox(db: Db, reader: Reader, { limit, offset, unreadOnly, type }: Wanted) {
  let query = inboxQuery(db, reader)
  if (type !== undefined) query = query.where('n.type', '=', type)
  if (unreadOnly) query = query.where(isUnread)
  const rows = await query
    .selectAll('n')
    .select(sql<Date | null>`coalesce(n.read_at, r.read_at)`.as('seen_at'))
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await query.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { notifications: rows.map(shown), total, unreadCount: await countUnread(db, reader) }
}

export async function countUnread(db: Db, reader: Reader): Promise<number> {
  const { unread } = await inboxQuery(db, reader)
    .where(isUnread)
    .select((e) => e.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()
  return unread
}

/** The unread count, up to the displayed maximum, and new arrivals for the browser. */
export async function summarizeUnread(db: Db, reader: Reader) {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (${inboxQuery(db, reader)
      .where(isUnread)
      .select('n.id')
      .limit(MAX_COUNTED + 1)}) counted`.execute(db)
  const arrived = await inboxQuery(db, reader)
    .where(isUnread)
    .where(sql<boolean>`n.delivery_method @> '{browser}'`)
    .where('n.created_at', '>', sql<Date>`now() - make_interval(mins => ${ARRIVAL_MINUTES})`)
    .select(['n.id', 'n.title', 'n.message', 'n.priority', 'n.action_url'])
    .orderBy('n.created_at', 'desc')
    .limit(5)
    .execute()
  return { unreadCount: firstOf(rows).unread, arrived }
}

export async function statsOf(db: Db, reader: Reader): Promise<NotificationStats> {
  const rows = await inboxQuery(db, reader)
    .select(['n.type', 'n.priority'])
    .select(sql<number>`count(*)::int`.as('total'))
    .select(sql<number>`(count(*) filter (where ${isUnread}))::int`.as('unread'))
    .select(sql<number>`(count(*) filter (where n.created_at >= ${since('day', reader)}))::int`.as('today'))
    .select(sql<number>`(count(*) filter (where n.created_at >= ${since('week', reader)}))::int`.as('week'))
    .groupBy(['n.type', 'n.priority'])
    .execute()
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0)
  const by = (name: 'type' | 'priority') =>
    Object.fromEntries(
      [...Map.groupBy(rows, (row) => row[name])].map(([key, its]) => [
        key,
        its.reduce((all, row) => all + row.total, 0),
      ]),
    )
  return {
    total: sum((row) => row.total),
    unread: sum((row) => row.unread),
    today: sum((row) => row.today),
    thisWeek: sum((row) => row.week),
    byType: by('type'),
    byPriority: by('priority'),
  }
}

const since = (unit: 'day' | 'week', { timeZone }: Reader) =>
  sql`date_trunc(${unit}, now() at time zone ${timeZone}::text) at time zone ${timeZone}::text`

/** Marks all, or one, as read. False if that one is not in the user's inbox. */
export async function markRead(db: Db, reader: Reader, id?: string): Promise<boolean> {
  const all = inboxQuery(db, reader)
  const its = id === undefined ? all.where(isUnread) : all.where('n.id', '=', id)
  const rows = await its.select(['n.id', 'n.user_id']).execute()
  const own = rows.filter(({ user_id }) => user_id !== null).map((row) => row.id)
  const ofGroups = rows.filter(({ user_id }) => user_id === null).map((row) => row.id)
  if (own.length > 0)
    await db
      .updateTable('notifications')
      .set({ read_at: sql<Date>`now()` })
      .where(sql<boolean>`id = any(${own}::uuid[])`)
      .where('read_at', 'is', null)
      .execute()
  await markGroupItems(db, reader, ofGroups)
  return rows.length > 0
}

/** Archives a notification: deletes the user's own, hides one of a group. */
export async function archiveNotification(db: Db, reader: Reader, id: string): Promise<boolean> {
  const row = await inboxQuery(db, reader).where('n.id', '=', id).select('n.user_id').executeTakeFirst()
  if (!row) return false
  if (row.user_id === null) await markGroupItems(db, reader, [id], true)
  else await db.deleteFrom('notifications').where('id', '=', id).execute()
  return true
}

async function markGroupItems(db: Db, reader: Reader, ids: string[], isArchived = false): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into notification_reads (notification_id, user_id, is_archived)
    select id, ${reader.id}, ${isArchived} from unnest(${ids}::uuid[]) id
    on conflict (notification_id, user_id) do update set is_archived = excluded.is_archived
      where excluded.is_archived and not notification_reads.is_archived`.execute(db)
}

const shown = (row: Selectable<NotificationsTable> & { seen_at: Date | null }): Notification => ({
  id: row.id,
  user_id: row.user_id,
  recipient_role: row.recipient_role,
  type: row.type,
  title: row.title,
  message: row.message,
  data: row.data as Record<string, unknown>,
  delivery_method: row.delivery_method,
  priority: row.priority,
  status: row.status,
  action_url: row.action_url,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  read_at: row.seen_at?.toISOString() ?? null,
})
