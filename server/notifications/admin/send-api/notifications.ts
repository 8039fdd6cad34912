import { sql } from 'kysely'
import type * as z from 'zod'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type {
  changeNotification,
  listAllNotifications,
  NotificationBody,
} from '#shared/notifications/admin-notifications.ts'
import type { Notification } from '#shared/notifications/inbox.ts'
import { COORDINATORS, type Role } from '#shared/roles.ts'
import { announce } from '../../announcements/create.ts'
import { pageOf } from './extras.ts'

const OTHERWISE = ['in-app', 'email'] as const

/** Sends to one user or a group; the audit log names the caller. In a transaction of the service. */
export async function createNotification(db: Db, body: NotificationBody, by: SignedIn, publicUrl: string) {
  const leadsTo = body.action_url ?? body.actionUrl
  const values = {
    user_id: body.user_id ?? body.userId ?? null,
    recipient_role: body.recipient_role ?? body.recipientRole ?? null,
    type: body.type,
    title: body.title,
    message: body.message,
    priority: body.priority,
    action_url: leadsTo ? pageOf(leadsTo, publicUrl) : null,
  }
  if (values.user_id) await expectUser(db, values.user_id)
  const methods = [...(body.delivery_method ?? body.deliveryMethod ?? OTHERWISE)]
  const at = body.scheduled_for ?? body.scheduledFor
  const data = JSON.stringify(body.data)
  const created_at = body.created_at ?? undefined
  const made = at
    ? await plan(db, { ...values, data, delivery_methods: methods, scheduled_for: new Date(at), created_at })
    : await deliverNotification(db, { ...values, data, delivery_method: methods, created_at }, { createdBy: by.id })
  const { title: _, message: __, ...after } = values
  const subject = { subject_type: 'notification', subject_id: made.notificationId }
  await audit(db, by, { action: 'notification.create', ...subject, after: { ...after, methods, status: made.status } })
  return { ...made, error: null }
}

export interface NotificationRow {
  user_id: string | null
  recipient_role: Role | null
  type: string
  title: string
  message: string
  priority: NotificationBody['priority']
  action_url: string | null
  data: string
  created_at: string | undefined
}
export type Method = (typeof OTHERWISE)[number] | 'sms' | 'push'

async function plan(db: Db, row: NotificationRow & { delivery_methods: Method[]; scheduled_for: Date }) {
  const { id } = await db
    .insertInto('scheduled_notifications')
    .values({ ...row, event_type: null, event_id: null, event_key: null, error: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { notificationId: id, status: 'scheduled' as const }
}

/**
 * Adds it to the inbox at once; all other channels go through an announcement, whose recipients may have switched one
 * off. A scheduled notification keeps its `id`.
 */
export async function deliverNotification(
  db: Db,
  row: NotificationRow & { delivery_method: Method[] },
  { id: scheduledId, createdBy }: { id?: string; createdBy?: string },
) {
  const isInPortal = row.delivery_method.includes('in-app')
  const others = row.delivery_method.filter((method) => method !== 'in-app')
  const { id } = await db
    .insertInto('notifications')
    .values({
      ...row,
      ...(scheduledId ? { id: scheduledId } : {}),
      status: isInPortal ? 'sent' : 'pending',
      sent_at: isInPortal ? sql<Date>`now()` : null,
      event_key: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (others.length > 0) {
    const text = { title: row.title, message: row.message }
    await announce(db, {
      key: `notification ${id}`,
      kind: 'announcement',
      priority: row.priority,
      template: 'announcement',
      texts: { en: text, ar: text },
      actionUrl: row.action_url,
      audience: row.user_id ? { users: [row.user_id] } : { roles: groupOf(row.recipient_role!) },
      channels: others,
      ...(createdBy ? { createdBy } : {}),
    })
  }
  return { notificationId: id, status: isInPortal ? ('sent' as const) : ('pending' as const) }
}

/** 'coordinator' stands for all coordinator roles (C-13). */
export const groupOf = (role: Role): Role[] => (role === 'coordinator' ? ['coordinator', ...COORDINATORS] : [role])

export async function updateNotification(
  db: Db,
  id: string,
  { status, sent_at, error }: z.output<typeof changeNotification.body>,
  by: SignedIn,
) {
  const at = status === 'sent' ? (sent_at ? new Date(sent_at) : new Date()) : null
  const [changed] = await db
    .updateTable('notifications')
    .set({ status, ...(at ? { sent_at: at } : {}) })
    .where('id', '=', id)
    .returning('id')
    .execute()
  const [planned] = changed ? [] : await updateScheduled(db, id, status, at, error ?? null)
  if (!changed && !planned) throw new AppError(404, 'notification_not_found', 'Notification not found')
  const subject = { subject_type: 'notification', subject_id: id }
  await audit(db, by, { action: 'notification.update', ...subject, after: { status, sent_at: at, error } })
  return { notificationId: id, status, error: error ?? null }
}

const PLANNED = { pending: 'pending', scheduled: 'pending', sent: 'sent', failed: 'cancelled' } as const

const updateScheduled = (db: Db, id: string, status: keyof typeof PLANNED, at: Date | null, error: string | null) =>
  db
    .updateTable('scheduled_notifications')
    .set({ status: PLANNED[status], error, ...(at ? { sent_at: at } : {}) })
    .where('id', '=', id)
    .where('status', '<>', 'sent')
    .returning('id')
    .execute()

/** Delivered and scheduled inbox notifications. */
export async function listAll(db: Db, { limit, offset, ...wanted }: z.output<typeof listAllNotifications.query>) {
  const all = sql`
    select id, user_id, recipient_role, type, title, message, data, delivery_method, priority, status, action_url,
      created_at, sent_at, read_at from notifications
    union all
    select id, user_id, recipient_role, type, title, message, data, delivery_methods, priority,
      case status when 'pending' then 'scheduled' else status end, action_url, created_at, sent_at, null
    from scheduled_notifications where status in ('pending', 'failed')`
  const { status = null, type = null, priority = null } = wanted
  const found = sql`
    from (${all}) n where (${status}::text is null or status = ${status}) and (${type}::text is null or type = ${type})
      and (${priority}::text is null or priority = ${priority})`
  const { rows } =
    await sql<ListedRow>`select * ${found} order by created_at desc, id limit ${limit} offset ${offset}`.execute(db)
  const { rows: counts } = await sql<{ total: number; unread: number }>`
    select count(*)::int as total,
      (count(*) filter (where status = 'sent' and user_id is not null and read_at is null))::int as unread ${found}`.execute(
    db,
  )
  const { total, unread } = firstOf(counts)
  return { notifications: rows.map(shown), total, unreadCount: unread }
}

interface ListedRow extends Omit<Notification, 'created_at' | 'sent_at' | 'read_at'> {
  created_at: Date
  sent_at: Date | null
  read_at: Date | null
}
const shown = (row: ListedRow): Notification => ({
  ...row,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  read_at: row.read_at?.toISOString() ?? null,
})

async function expectUser(db: Db, id: string): Promise<void> {
  const user = await db.selectFrom('user_profiles').select('id').where('id', '=', id).executeTakeFirst()
  if (!user) throw new AppError(404, 'user_not_found', 'Account not found.')
}
