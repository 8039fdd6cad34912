import type { Generated } from 'kysely'
import type { AnswerStatus, Citation } from '#shared/assistant/answer.ts'
import type { CaseChannel, CaseKind, CaseStatus } from '#shared/assistant/cases.ts'
import type { FactKind } from '#shared/assistant/facts.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { DefaultInstant, Json, OptionalInstant } from './column-types.ts'

export interface AssistantFactsTable {
  id: string
  kind: FactKind
  country_code: string | null
  code: string
  purpose: 'work' | 'study' | 'visit' | null
  value: Json<Record<string, unknown>>
  source_title: string
  source_url: string
  /** YYYY-MM-DD */
  checked_on: string
  valid_until: string
  position: Generated<number>
  is_active: Generated<boolean>
  updated_at: DefaultInstant
  updated_by: string | null
}

export interface KnowledgeSourcesTable {
  id: Generated<string>
  page_title: string
  page_url: string
  source_domain: string
  language: string
  origin: 'address' | 'text' | 'markdown'
  content_hash: string
  checked_at: DefaultInstant
  failure: string | null
  created_at: DefaultInstant
  created_by: string | null
}

export interface KnowledgeChunksTable {
  id: Generated<string>
  source_id: string
  position: number
  content: string
  metadata: Json<{ page_title: string; page_url: string; source_domain: string; heading: string | null }>
  language: string
  search_text: string
}

export interface AiConversationsTable {
  id: Generated<string>
  user_id: string
  session_id: string | null
  title: Generated<string>
  status: Generated<'active' | 'handed_over' | 'deleted'>
  language: Generated<AssistantLanguage>
  created_at: DefaultInstant
  last_activity: DefaultInstant
  metadata: Json<Record<string, unknown>>
  deleted_at: OptionalInstant
}

export interface ChatMessagesTable {
  id: Generated<string>
  conversation_id: string
  sender_type: 'user' | 'assistant'
  content: string
  message_order: number
  tokens_used: number | null
  model_used: string | null
  processing_time_ms: number | null
  metadata: Json<Record<string, unknown>>
  created_at: DefaultInstant
  format: Generated<'text' | 'markdown'>
  reply_to: string | null
}

export interface AiProcessStatesTable {
  conversation_id: string
  process_type: string
  current_step: string
  step_data: Json<Record<string, unknown>>
  next_actions: Json<string[]>
}

export interface AiUserPreferencesTable {
  user_id: string
  preferred_language: AssistantLanguage | null
  cultural_preferences: Json<Record<string, string>>
  settings: Json<Record<string, unknown>>
  updated_at: DefaultInstant
}

export interface AssistantCasesTable {
  id: Generated<string>
  reference: string
  kind: CaseKind
  dangers: Generated<Danger[]>
  user_id: string | null
  conversation_id: string | null
  name: string | null
  safe_phone: string | null
  safe_time: string | null
  country_code: string | null
  chapter_id: string | null
  language: AssistantLanguage
  summary: string
  summary_ar: string | null
  original_text: string
  sources: Json<Citation[]>
  status: Generated<CaseStatus>
  taken_by: string | null
  taken_at: OptionalInstant
  closed_at: OptionalInstant
  note: string | null
  created_at: DefaultInstant
  /** Helpers who were notified of it. */
  helpers: Generated<string[]>
  notified_at: OptionalInstant
  escalations: Generated<number>
  channel: Generated<CaseChannel>
  phone_key: string | null
  is_group: Generated<boolean>
  rank: Generated<1 | 2 | 3 | 4>
  entry_count: Generated<number>
  last_entry_at: OptionalInstant
}

export interface AssistantCaseEntriesTable {
  id: Generated<string>
  case_id: string
  reference: string
  kind: CaseKind
  dangers: Generated<Danger[]>
  user_id: string | null
  name: string | null
  safe_phone: string | null
  safe_time: string | null
  language: AssistantLanguage
  text: string
  is_low: Generated<boolean>
  split_to: string | null
  received_at: Date
}

/** Known: an account. Numbered: a number to call. Anonymous: neither. hand_over: neither, and not urgent. */
export type AlarmClass = 'known' | 'numbered' | 'anonymous' | 'hand_over'

export interface CaseAlarmsTable {
  user_id: string
  class: AlarmClass
  interval_start: Date
  sent: number
}

export interface CaseDigestsTable {
  user_id: string
  /** Empty when unknown, here and below. */
  country_code: string
  count: number
  newest_case: string
  newest_at: Date
  due_at: Date
}

export interface CaseArrivalsTable {
  country_code: string
  minute: Date
  count: number
}

export interface CaseBurstsTable {
  country_code: string
  started_at: Date
  ended_at: OptionalInstant
  count: number
}

export interface AssistantQuestionsTable {
  id: Generated<string>
  asked_at: DefaultInstant
  language: AssistantLanguage
  intent: string
  status: AnswerStatus
  country_code: string | null
  record_ids: Generated<string[]>
  model_used: string | null
  tokens_used: Generated<number>
  processing_time_ms: number
  question: string | null
  rating: 1 | -1 | null
  comment: string | null
  rated_at: OptionalInstant
  reviewed_at: OptionalInstant
  reviewed_by: string | null
}

export interface AssistantSpendingTable {
  /** YYYY-MM-DD, in UTC */
  day: string
  calls: Generated<number>
  tokens: Generated<number>
}

export interface CommunicationPreferencesView {
  user_id: string
  email: string
  phone_number: string | null
  email_notifications: boolean
  sms_notifications: boolean
}

export interface AssistantTables {
  assistant_facts: AssistantFactsTable
  knowledge_sources: KnowledgeSourcesTable
  knowledge_chunks: KnowledgeChunksTable
  ai_conversations: AiConversationsTable
  chat_messages: ChatMessagesTable
  ai_process_states: AiProcessStatesTable
  ai_user_preferences: AiUserPreferencesTable
  assistant_cases: AssistantCasesTable
  assistant_case_entries: AssistantCaseEntriesTable
  case_alarms: CaseAlarmsTable
  case_digests: CaseDigestsTable
  case_arrivals: CaseArrivalsTable
  case_bursts: CaseBurstsTable
  assistant_questions: AssistantQuestionsTable
  assistant_spending: AssistantSpendingTable
  communication_preferences: CommunicationPreferencesView
}
