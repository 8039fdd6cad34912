import * as z from 'zod'
import { ById } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { PRIORITIES } from '#shared/delivery/kinds.ts'
import { ROLES } from '#shared/roles.ts'
import { text } from '#shared/text.ts'
import { Notification } from './inbox.ts'

/** The management API knows four channels (C-34). */
export const MANAGED_METHODS = ['in-app', 'email', 'sms', 'push'] as const
export const MANAGED_STATUSES = ['pending', 'scheduled', 'sent', 'failed'] as const

export const getSystemStats = endpoint({
  method: 'GET',
  path: '/admin-operations/notification-system-stats',
  access: 'manageNotifications',
  summary: 'Number of notifications and delivery rates',
  response: z.object({
    totalNotifications: z.int().describe('In the portal and on all other channels'),
    sentToday: z.int().describe('Since midnight in the time zone of the portal'),
    pendingNotifications: z.int().describe('Waiting, scheduled or being sent'),
    failedDeliveries: z.int(),
    recordedNotifications: z.int().describe('Recorded but not sent: no provider is configured'),
    deliveryRate: z.number().describe('Percentage of completed messages that did not fail'),
  }),
})

export const listAllNotifications = endpoint({
  method: 'GET',
  path: '/admin-operations/notifications',
  access: 'manageNotifications',
  summary: 'All notifications in the portal, newest first',
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
    status: z.enum(MANAGED_STATUSES).optional(),
    type: text(60).optional(),
    priority: z.enum(PRIORITIES).optional(),
  }),
  response: z.object({ notifications: z.array(Notification), total: z.int(), unreadCount: z.int() }),
})

/** Fields for which callers of the earlier portal use either spelling. */
const SPELLINGS = [
  ['user_id', 'userId'],
  ['recipient_role', 'recipientRole'],
  ['delivery_method', 'deliveryMethod'],
  ['action_url', 'actionUrl'],
  ['scheduled_for', 'scheduledFor'],
] as const

const Body = z
  .strictObject({
    user_id: z.uuid().nullish(),
    userId: z.uuid().nullish(),
    recipient_role: z.enum(ROLES).nullish(),
    recipientRole: z.enum(ROLES).nullish(),
    type: text(60).min(1, 'This field is required'),
    title: text(300).min(1, 'This field is required'),
    message: text(5_000).min(1, 'This field is required'),
    data: z.record(z.string(), z.unknown()).default({}),
    delivery_method: z.array(z.enum(MANAGED_METHODS)).min(1).max(4).optional().describe('Defaults to in-app and email'),
    deliveryMethod: z.array(z.enum(MANAGED_METHODS)).min(1).max(4).optional(),
    priority: z.enum(PRIORITIES).default('medium'),
    action_url: text(500).nullish(),
    actionUrl: text(500).nullish(),
    scheduled_for: z.iso.datetime({ offset: true }).nullish().describe('Send at this time instead of now'),
    scheduledFor: z.iso.datetime({ offset: true }).nullish(),
    status: z
      .enum(['pending', 'scheduled'])
      .nullish()
      .describe('Initial status: scheduled with a time, otherwise pending'),
    created_at: z.iso.datetime({ offset: true }).nullish().describe('When it happened, within the last day'),
  })
  .superRefine((body, context) => {
    const [user, role] = [body.user_id ?? body.userId, body.recipient_role ?? body.recipientRole]
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, input: body })
    if (Boolean(user) === Boolean(role)) refuse('user_id', 'Name a person or a role, not both')
    const planned = body.scheduled_for ?? body.scheduledFor
    if (body.status === 'scheduled' && !planned) refuse('status', 'Give the time it is planned for')
    const age = body.created_at ? Date.now() - Date.parse(body.created_at) : 0
    if (age < -300_000 || age > 86_400_000) refuse('created_at', 'Choose a time within the last day')
    for (const [name, other] of SPELLINGS)
      if (body[name] != null && body[other] != null && String(body[name]) !== String(body[other]))
        refuse(other, `Give this or ${name}, not both`)
  })
export type NotificationBody = z.output<typeof Body>

export const createNotification = endpoint({
  method: 'POST',
  path: '/admin-operations/notifications',
  access: 'manageNotifications',
  summary: 'Notifies one user or all users with a role, now or later',
  body: Body,
  response: z.object({ notificationId: z.uuid(), status: z.enum(MANAGED_STATUSES), error: z.null() }),
  status: 201,
})

export const changeNotification = endpoint({
  method: 'PUT',
  path: '/admin-operations/notifications/{id}',
  access: 'manageNotifications',
  summary: 'Records that a notification was sent or failed; failing a scheduled one cancels it',
  params: ById,
  body: z.strictObject({
    status: z.enum(MANAGED_STATUSES),
    sent_at: z.iso.datetime({ offset: true }).nullish(),
    error: text(500).nullish(),
  }),
  response: z.object({ notificationId: z.uuid(), status: z.enum(MANAGED_STATUSES), error: z.string().nullable() }),
})
