import type { Generated } from 'kysely'
import type { AdvisoryReason, Channel, Digest, Kind, MessageChannel, Priority } from '#shared/delivery/kinds.ts'
import type { Language, Localized } from '#shared/language.ts'
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
  texts: Json<Localized<AnnouncementText>>
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

export interface ReminderRulesTable {
  id: string
  event_type: string
  /** Hours before the start; numeric, which the driver returns as text. */
  reminder_offsets: string[]
  enabled: Generated<boolean>
  texts: Json<Localized<{ title: string; message: string }>>
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

export interface AnnouncementStatsTable {
  announcement_id: string
  channel: MessageChannel
  status: string
  messages: number
}

export interface NotificationTables {
  announcement_stats: AnnouncementStatsTable
  announcements: AnnouncementsTable
  notification_preferences: NotificationPreferencesTable
  advisory_subscriptions: AdvisorySubscriptionsTable
  notifications: NotificationsTable
  notification_reads: NotificationReadsTable
  reminder_rules: ReminderRulesTable
  scheduled_notifications: ScheduledNotificationsTable
}
