import * as z from 'zod'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { PRIORITIES } from '#shared/delivery/kinds.ts'

/** The unread badge stops counting here and shows "more than". */
export const MAX_COUNTED = 99

export const Notification = z.object({
  id: z.uuid(),
  user_id: z.uuid().nullable().describe('Null if it was sent to a group'),
  recipient_role: z.string().nullable(),
  type: z.string(),
  title: z.string(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
  delivery_method: z.array(z.string()),
  priority: z.enum(PRIORITIES),
  status: z.enum(['pending', 'scheduled', 'sent', 'failed']),
  action_url: z.string().nullable().describe('Path on the portal'),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  read_at: z.string().nullable(),
})
export type Notification = z.infer<typeof Notification>

const Counts = z.record(z.string(), z.int())
const Stats = z.object({
  total: z.int(),
  unread: z.int(),
  today: z.int().describe('In the time zone of the user'),
  thisWeek: z.int().describe('Since Monday'),
  byType: Counts,
  byPriority: Counts,
})
export type NotificationStats = z.infer<typeof Stats>

export const NotificationQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  unreadOnly: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  type: z.string().trim().min(1).max(60).optional(),
})

export const listNotifications = endpoint({
  method: 'GET',
  path: '/admin-operations/users/{id}/notifications',
  access: 'signedIn',
  summary: 'In-app notifications of the caller, newest first; administrators can query any user',
  params: ById,
  query: NotificationQuery,
  response: z.object({ notifications: z.array(Notification), total: z.int(), unreadCount: z.int() }),
})

export const getNotificationStats = endpoint({
  method: 'GET',
  path: '/admin-operations/users/{id}/notifications/stats',
  access: 'signedIn',
  summary: 'Number of in-app notifications by type and priority; administrators can query any user',
  params: ById,
  response: Stats,
})

export const getOwnNotificationStats = endpoint({
  method: 'GET',
  path: '/admin-operations/notification-stats',
  access: 'signedIn',
  summary: 'The same for the caller',
  response: Stats,
})

export const readAllNotifications = endpoint({
  method: 'PUT',
  path: '/admin-operations/users/{id}/notifications/read-all',
  access: 'signedIn',
  summary: 'Marks all notifications as read; administrators can do so for any user',
  params: ById,
  response: z.object({ unreadCount: z.int() }),
})

export const readNotification = endpoint({
  method: 'PUT',
  path: '/admin-operations/notifications/{id}/read',
  access: 'signedIn',
  summary: 'Marks a notification as read',
  params: ById,
  response: z.object({ unreadCount: z.int() }),
})

export const removeNotification = endpoint({
  method: 'DELETE',
  path: '/admin-operations/notifications/{id}',
  access: 'signedIn',
  summary: 'Dismisses a notification: for the caller only if it was sent to a group; administrators delete any',
  params: ById,
  response: z.object({ unreadCount: z.int() }),
})

/** A notification that has just arrived and is also shown by the browser. */
export const Arrived = Notification.pick({ id: true, title: true, message: true, priority: true, action_url: true })

export const getUnread = endpoint({
  method: 'GET',
  path: '/notifications/unread',
  access: 'signedIn',
  summary: `Number of unread notifications, up to ${MAX_COUNTED + 1}, and those to show in the browser`,
  response: z.object({ unreadCount: z.int(), arrived: z.array(Arrived) }),
})
