import type { Generated } from 'kysely'
import type { Kind, MessageChannel } from '#shared/delivery/kinds.ts'
import type { MessageExtras } from '#shared/delivery/message-extras.ts'
import type { Language } from '#shared/language.ts'
import type { DefaultInstant, Instant, Json, OptionalInstant } from './column-types.ts'

export interface MessagesTable {
  id: Generated<string>
  message_key: string
  channel: MessageChannel
  /** Null: looked up in the profile when it is sent. */
  recipient: string | null
  /** Reply-To address, if not the portal's. */
  reply_to: Generated<string | null>
  user_id: string | null
  template: string
  language: Generated<string>
  subject: Generated<string>
  /** Null: the text is in the announcement. */
  body_text: string | null
  body_html: string | null
  is_secret: Generated<boolean>
  status: Generated<
    'pending' | 'deferred' | 'sending' | 'sent' | 'delivered' | 'failed' | 'dropped' | 'cancelled' | 'recorded'
  >
  attempts: Generated<number>
  error: string | null
  provider_message_id: string | null
  /** The message_key of the digest that this message is in. */
  digest_key: Generated<string | null>
  created_at: DefaultInstant
  not_before: DefaultInstant
  /** While a process holds its lease, and after that process died. */
  leased_until: Generated<Date | null>
  expires_at: OptionalInstant
  sent_at: OptionalInstant
  announcement_id: string | null
  subscription_id: string | null
  kind: Generated<Kind | 'account'>
  queue_priority: Generated<number>
  provider: string | null
  delivered_at: OptionalInstant
  extras: Json<MessageExtras> | null
}

export interface MessageAttemptsTable {
  id: Generated<string>
  message_id: string
  at: DefaultInstant
  provider: string | null
  result: 'failed' | 'deferred' | 'sent' | 'delivery_event'
  detail: string | null
}

export interface SuppressionsTable {
  channel: 'email' | 'sms' | 'whatsapp'
  /** In lower case. */
  address: string
  reason: 'bounced' | 'invalid' | 'complained' | 'opted_out'
  detail: string | null
  created_at: DefaultInstant
}

export interface UnmatchedDeliveryEventsTable {
  provider: string
  provider_message_id: string
  status: 'delivered' | 'failed'
  detail: string | null
  suppression_reason: SuppressionsTable['reason'] | null
  received_at: DefaultInstant
}

export interface PushSubscriptionsTable {
  id: Generated<string>
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
  user_agent: string | null
  created_at: DefaultInstant
  last_used_at: OptionalInstant
}

export interface MessageTemplatesTable {
  name: string
  language: Language
  version: number
  content: Json<object> | null
  created_by: string | null
  created_at: DefaultInstant
}

export interface DeliveryMonitorChecksTable {
  announcement_id: string
  channel: string
  sent_at: OptionalInstant
  delivered_at: OptionalInstant
  alarmed_at: OptionalInstant
  detail: string | null
}

export interface DeliveryMonitorAlarmsTable {
  id: Generated<string>
  cause: string
  count: number
  detail: Generated<string>
  raised_at: DefaultInstant
  seen_at: DefaultInstant
  cleared_at: OptionalInstant
}

export interface DeliveryStatsTable {
  channel: MessageChannel | 'all'
  scope: 'urgent' | 'all'
  days: number
  announcements: number
  messages: number
  recorded: number
  sent: number
  delivered: number
  failed: number
  waiting: number
  /** Seconds. */
  sent_p50: number | null
  sent_p95: number | null
  delivered_p50: number | null
  delivered_p95: number | null
  measured_at: Instant
}

export interface DeliveryTables {
  messages: MessagesTable
  message_attempts: MessageAttemptsTable
  suppressions: SuppressionsTable
  unmatched_delivery_events: UnmatchedDeliveryEventsTable
  push_subscriptions: PushSubscriptionsTable
  message_templates: MessageTemplatesTable
  delivery_monitor_checks: DeliveryMonitorChecksTable
  delivery_monitor_alarms: DeliveryMonitorAlarmsTable
  delivery_stats: DeliveryStatsTable
}
