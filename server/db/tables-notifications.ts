import type { Generated } from 'kysely'
import type { AdvisoryReason, Channel, Digest, Kind, MessageChannel, Priority } from '#shared/delivery/kinds.ts'
import type { MessageExtras } from '#shared/delivery/message-extras.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import type { DefaultInstant, Instant, Json, OptionalInstant } from './column-types.ts'

/** Audience of an announcement: users who are in all of the given lists. */
export interface Audience {
  roles?: Role[]
  /** Codes; the user's stated location, or one of the countries they follow. */
  countries?: string[]
  chapters?: string[]
  users?: string[]
  /** For a coordinator's announcement: nobody outside these places receives it, whatever the lists say. */
  within?: Within
}

/** Travelers and members of these countries and chapters, or of all. */
export interface Within {
  everywhere?: boolean
  countries?: string[]
  chapters?: string[]
}

/** Every announcement has a title and a message, shown by inbox, push and text message. */
export interface AnnouncementText {
  title: string
  message: string
  [value: string]: string
}

export interface AnnouncementsTable {
  id: Generated<string>
  announcement_key: string
  kind: Kind
  priority: Generated<Priority>
  template: string
  texts: Json<Record<Language, AnnouncementText>>
  action_url: string | null
  advisory_id: string | null
  advisory_version: number | null
  reason: AdvisoryReason | null
  audience: Json<Audience> | null
  channels: Channel[] | null
  status: Generated<'draft' | 'for_approval' | 'waiting' | 'sent' | 'cancelled'>
  scheduled_for: OptionalInstant
  created_by: string | null
  approved_by: string | null
  approved_at: OptionalInstant
  created_at: DefaultInstant
  sent_at: OptionalInstant
  recipient_count: number | null
  updated_at: DefaultInstant
  declined_by: Generated<string | null>
  declined_at: OptionalInstant
  decline_reason: Generated<string | null>
  cancelled_at: OptionalInstant
}

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

export interface NotificationPreferencesTable {
  user_id: string
  /** Channels not listed are on. */
  channels: Json<Partial<Record<Kind, Partial<Record<Channel, boolean>>>>>
  sms_opt_out: Generated<boolean>
  /** HH:MM:SS in the user's own time zone. */
  quiet_from: string | null
  quiet_until: string | null
  digest: Generated<Digest>
  urgent_bypass: Generated<boolean>
  updated_at: DefaultInstant
}

export interface AdvisorySubscriptionsTable {
  id: Generated<string>
  user_id: string
  countries: Generated<string[]>
  severity_levels: Generated<string[]>
  advisory_types: Generated<string[]>
  channels: Generated<Channel[]>
  language: Generated<Language>
  urgent_only: Generated<boolean>
  active: Generated<boolean>
  created_at: DefaultInstant
  updated_at: DefaultInstant
  last_notified_at: OptionalInstant
}

export interface NotificationsTable {
  id: Generated<string>
  user_id: string | null
  recipient_role: string | null
  type: string
  title: string
  message: string
  data: Json<object>
  delivery_method: Generated<string[]>
  priority: Generated<Priority>
  status: Generated<'pending' | 'scheduled' | 'sent' | 'failed'>
  action_url: string | null
  event_key: string | null
  created_at: DefaultInstant
  sent_at: OptionalInstant
  announcement_id: string | null
  /** For one user's items; items for a group have their readers in notification_reads. */
  read_at: OptionalInstant
}

export interface NotificationReadsTable {
  notification_id: string
  user_id: string
  read_at: DefaultInstant
  is_archived: Generated<boolean>
}

export interface MessageTemplatesTable {
  name: string
  language: Language
  version: number
  content: Json<object> | null
  created_by: string | null
  created_at: DefaultInstant
}

export interface ReminderRulesTable {
  id: string
  event_type: string
  /** Hours before the start; numeric, which the driver returns as text. */
  reminder_offsets: string[]
  enabled: Generated<boolean>
  texts: Json<Record<Language, { title: string; message: string }>>
  priority: Generated<Priority>
  delivery_methods: Channel[]
  recipient_role: string | null
  updated_at: DefaultInstant
  updated_by: string | null
}

export interface ScheduledNotificationsTable {
  id: Generated<string>
  type: string
  title: string
  message: string
  user_id: string | null
  recipient_role: string | null
  scheduled_for: Instant
  priority: Generated<Priority>
  delivery_methods: Generated<Channel[]>
  data: Json<object>
  action_url: string | null
  status: Generated<'pending' | 'sent' | 'failed' | 'cancelled'>
  created_at: DefaultInstant
  sent_at: OptionalInstant
  retry_count: Generated<number>
  max_retries: Generated<number>
  event_type: string | null
  event_id: string | null
  event_key: string | null
  error: string | null
}

export interface RollCallsTable {
  id: Generated<string>
  title: string
  message: Generated<string>
  advisory_id: string | null
  country_codes: Generated<string[]>
  chapter_id: string | null
  announcement_id: string | null
  started_by: string | null
  started_at: DefaultInstant
  ended_at: OptionalInstant
  escalate_after_minutes: Generated<number>
  /** Announcements of the reminders. */
  reminder_ids: Generated<string[]>
}

export interface RollCallRecipientsTable {
  roll_call_id: string
  user_id: string
  country_code: string | null
  chapter_id: string | null
  answer: 'safe' | 'need_help' | 'not_there' | null
  answered_at: OptionalInstant
  answered_via: 'link' | 'portal' | 'coordinator' | 'sms' | null
  note: string | null
  helper_id: string | null
  assigned_at: OptionalInstant
  accepted_at: OptionalInstant
  escalations: Generated<number>
  helped_at: OptionalInstant
  phone: string | null
  contacted_helper_ids: Generated<string[]>
  help_note: string | null
  /** Since when a text that is not clearly an answer has been waiting. */
  unclear_at: OptionalInstant
  opted_out_at: OptionalInstant
}

export interface InboundTextsTable {
  id: Generated<string>
  arrival: Generated<string>
  provider: string
  provider_message_id: string
  channel: 'sms' | 'whatsapp'
  number: string
  body: string
  media_count: Generated<number>
  meaning: 'safe' | 'need_help' | 'not_there' | 'unclear' | 'acknowledged' | 'stop' | 'start'
  case_id: string | null
  replied_at: OptionalInstant
  received_at: DefaultInstant
}

export interface RollCallTextsTable {
  roll_call_id: string
  user_id: string
  text_id: string
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

export interface AnnouncementStatsTable {
  announcement_id: string
  channel: MessageChannel
  status: string
  messages: number
}

export interface NotificationTables {
  announcement_stats: AnnouncementStatsTable
  delivery_monitor_alarms: DeliveryMonitorAlarmsTable
  delivery_stats: DeliveryStatsTable
  announcements: AnnouncementsTable
  messages: MessagesTable
  message_attempts: MessageAttemptsTable
  suppressions: SuppressionsTable
  unmatched_delivery_events: UnmatchedDeliveryEventsTable
  push_subscriptions: PushSubscriptionsTable
  notification_preferences: NotificationPreferencesTable
  advisory_subscriptions: AdvisorySubscriptionsTable
  notifications: NotificationsTable
  notification_reads: NotificationReadsTable
  message_templates: MessageTemplatesTable
  reminder_rules: ReminderRulesTable
  scheduled_notifications: ScheduledNotificationsTable
  roll_calls: RollCallsTable
  roll_call_recipients: RollCallRecipientsTable
  inbound_texts: InboundTextsTable
  roll_call_texts: RollCallTextsTable
  delivery_monitor_checks: DeliveryMonitorChecksTable
}
