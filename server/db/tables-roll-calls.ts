import type { Generated } from 'kysely'
import type { DefaultInstant, OptionalInstant } from './column-types.ts'

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

export interface RollCallTables {
  roll_calls: RollCallsTable
  roll_call_recipients: RollCallRecipientsTable
  inbound_texts: InboundTextsTable
  roll_call_texts: RollCallTextsTable
}
