import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

/** Documented delivery states of advisories: waiting messages are pending, those to be retried are retrying (C-33). */
export const TRACKED_STATUSES = ['pending', 'sent', 'delivered', 'failed', 'retrying'] as const
export const TRACKED_TYPES = ['in-app', 'browser', 'email', 'sms', 'push'] as const
export const RETENTION_DAYS = 30

const Record = z.object({
  id: z.string(),
  notification_id: z.string().describe('Same as id'),
  advisory_id: z.string().nullable(),
  user_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  notification_type: z.string(),
  status: z.enum([...TRACKED_STATUSES, 'recorded']).describe('recorded: not sent, because no provider is configured'),
  user_email: z.string().nullable(),
  user_name: z.string().nullable(),
  user_phone: z.string().nullable(),
  message_id: z.string().nullable().describe('Id given by the provider'),
  error_message: z.string().nullable(),
  retry_count: z.int(),
  max_retries: z.int(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
})
export type Tracked = z.infer<typeof Record>
const Page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
})
const List = z.object({ notifications: z.array(Record), total: z.int() })
const at = (name: string) => ({
  path: `/notification-tracking/${name}`,
  also: [`/functions/notification-tracking/${name}`],
  access: 'manageNotifications' as const,
})

export const createTracked = endpoint({
  method: 'POST',
  ...at('create'),
  summary: 'Delivers an advisory to one user on one channel; a repeated request returns the same record',
  body: z.strictObject({
    advisory_id: z.uuid(),
    user_id: z.uuid(),
    subscription_id: z.uuid().nullish(),
    notification_type: z.string().max(20),
    notification_id: z.unknown().optional().describe('Accepted and ignored: the portal assigns the id'),
    status: z.unknown().optional().describe('Accepted and ignored: it starts as pending; in-app as delivered'),
    max_retries: z.unknown().optional().describe('Accepted and ignored: it is retried for at least four hours'),
    user_email: z.unknown().optional().describe('Accepted and ignored: addresses come from the profile'),
    user_name: z.unknown().optional(),
    user_phone: z.unknown().optional(),
  }),
  response: z.object({ notification_id: z.string(), id: z.string(), notification: Record }),
  status: 201,
})

export const updateTracked = endpoint({
  method: 'POST',
  ...at('update-status'),
  summary: 'Records the result of a delivery; never from delivered back to sent',
  body: z.strictObject({
    notification_id: z.string().max(60).optional(),
    status: z.string().max(20).optional(),
    message_id: text(200).nullish(),
    error_message: text(500).nullish(),
    provider_response: z.unknown().optional(),
  }),
  response: z.object({ notification: Record }),
})

export const listPendingTracked = endpoint({
  method: 'GET',
  ...at('pending'),
  summary: 'Pending deliveries, oldest first',
  query: Page,
  response: List,
})

export const listFailedTracked = endpoint({
  method: 'GET',
  ...at('failed'),
  summary: 'Failed deliveries that are worth a retry, newest first',
  query: Page,
  response: List,
})

const Counts = z.record(z.string(), z.int())
export const trackedStats = endpoint({
  method: 'GET',
  ...at('stats'),
  summary: 'Number of deliveries by status and channel',
  response: z.object({ total: z.int(), by_status: Counts, by_type: Counts, stats: z.record(z.string(), Counts) }),
})

export const cleanUpTracked = endpoint({
  method: 'POST',
  ...at('cleanup'),
  summary: 'Deletes old completed deliveries; in-app notifications are kept (C-55)',
  body: z.strictObject({
    days_to_keep: z.coerce
      .number()
      .int('Enter a whole number')
      .min(1, 'Must be from 1 to 3650')
      .max(3650, 'Must be from 1 to 3650')
      .default(RETENTION_DAYS),
  }),
  response: z.object({ deleted: z.int(), deleted_count: z.int(), days_to_keep: z.int() }),
})
