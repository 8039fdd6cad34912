import type { Generated } from 'kysely'
import type { DiscreetMode, PublicMode } from '#shared/churches/discretion.ts'
import type { PublicServant } from '#shared/churches/endpoints.ts'
import type { ServiceSchedule, ServiceType } from '#shared/churches/schedule.ts'
import type { Day, DefaultInstant, Json, OptionalInstant } from './column-types.ts'

export interface LocalChaptersTable {
  id: Generated<string>
  chapter_name: string
  city: string | null
  state_province: string | null
  country_code: string | null
  full_address: string | null
  contact_person: string | null
  contact_position: string | null
  contact_phone: string | null
  contact_email: string | null
  chapter_status: Generated<'active' | 'inactive' | 'suspended'>
  compliance_status: Generated<'compliant' | 'non_compliant' | 'under_review'>
  membership_count: Generated<number>
  active_travelers_count: Generated<number>
  facilities: Generated<string[]>
  special_programs: Generated<string[]>
  languages_available: Generated<string[]>
  photos_urls: Generated<string[]>
  latitude: number | null
  longitude: number | null
  located_in: string | null
  coordinator_id: string | null
  is_public: Generated<boolean>
  search_text: Generated<string>
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

/** Name, location and contact of a locale: stored, and published as far as its mode allows. */
interface NamedPlace {
  name: string
  common_name: string | null
  local_name: string | null
  local_address: string | null
  address_line1: string | null
  address_line2: string | null
  city: string | null
  state_province: string | null
  postal_code: string | null
  country_code: string | null
  latitude: number | null
  longitude: number | null
  timezone: string | null
  phone: string | null
  email: string | null
  website: string | null
  online_url: string | null
}

export interface LocalesTable extends NamedPlace {
  id: Generated<string>
  external_id: string | null
  languages: Generated<string[]>
  has_physical_locale: Generated<boolean>
  general_contact_available: Generated<boolean>
  locale_status: Generated<'active' | 'inactive' | 'closed'>
  is_public: Generated<boolean>
  discreet_mode: DiscreetMode | null
  located_in: string | null
  closed_since: Day
  closed_until: Day
  closed_reason: string | null
  chapter_id: string | null
  confirmed_at: OptionalInstant
  confirmed_by: string | null
  confirmed_as: 'admin' | 'mfa_coordinator' | 'local_servant' | 'contact' | null
  confirmation_requested_at: OptionalInstant
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

export interface LocaleServantsTable {
  id: Generated<string>
  locale_id: string
  user_id: string | null
  name: string
  role: Generated<string>
  phone: string | null
  email: string | null
  is_name_public: Generated<boolean>
  is_contact_public: Generated<boolean>
  agreed_at: OptionalInstant
  position: Generated<number>
}

export interface LocaleSchedulesTable {
  id: Generated<string>
  locale_id: string
  day_of_week: number | null
  recurrence: string | null
  starts_on: Day
  ends_on: Day
  /** HH:MM:SS */
  start_time: string
  end_time: string | null
  service_type: ServiceType
  title: string | null
  language: string | null
  is_online: Generated<boolean>
  online_url: string | null
  note: string | null
  position: Generated<number>
}

export interface PublicLocalesTable extends NamedPlace {
  id: string
  discreet_mode: PublicMode
  languages: string[]
  has_physical_locale: boolean
  general_contact_available: boolean
  closed_since: Day
  closed_until: Day
  closed_reason: string | null
  chapter_name: string | null
  confirmed_at: OptionalInstant
  confirmed_as: string | null
  servants: Json<PublicServant[]>
  schedules: Json<ServiceSchedule[]>
  photos: Json<{ file_id: string; description: string }[]>
  search_text: string
}

export interface LocaleCorrectionsTable {
  id: Generated<string>
  locale_id: string
  kind: 'wrong' | 'closed' | 'moved' | 'other'
  proposed: Json<Record<string, string>>
  message: Generated<string>
  contact: string | null
  language: Generated<string>
  status: Generated<'open' | 'applied' | 'declined'>
  created_at: DefaultInstant
  decided_at: OptionalInstant
  decided_by: string | null
  decision_note: string | null
}

export interface LocaleMessagesTable {
  id: Generated<string>
  locale_id: string
  kind: 'question' | 'arrival'
  sender_name: string
  sender_contact: string
  arrives_on: Day
  language: Generated<string>
  message: Generated<string>
  status: Generated<'open' | 'answered'>
  recipient_count: Generated<number>
  created_at: DefaultInstant
  answered_at: OptionalInstant
  answered_by: string | null
}

export interface DiscretionRequestsTable {
  id: Generated<string>
  country_code: string
  /** Null: the country's rule. */
  locale_id: string | null
  discreet_mode: DiscreetMode | null
  needs_second: Generated<boolean>
  reason: string
  locales: number
  status: Generated<'pending' | 'approved' | 'applied' | 'declined' | 'withdrawn' | 'expired'>
  requested_by: string
  requested_at: Date
  expires_at: Date
  decided_by: string | null
  decided_at: OptionalInstant
}

/** Tables of migration 0012. */
export interface ChurchTables {
  country_discretion: {
    country_code: string
    discreet_mode: DiscreetMode
    reason: Generated<string>
    updated_at: DefaultInstant
    updated_by: string | null
    needs_second: Generated<boolean>
  }
  discretion_requests: DiscretionRequestsTable
  mfa_local_chapters: LocalChaptersTable
  public_chapters: {
    id: string
    chapter_name: string
    city: string | null
    state_province: string | null
    country_code: string | null
    languages_available: string[]
    search_text: string
    latitude: number | null
    longitude: number | null
  }
  locales: LocalesTable
  locale_servants: LocaleServantsTable
  locale_schedules: LocaleSchedulesTable
  locale_photos: { locale_id: string; file_id: string; description: Generated<string>; position: Generated<number> }
  public_locales: PublicLocalesTable
  cities: {
    id: number
    name: string
    country_code: string
    state_province: string | null
    latitude: number
    longitude: number
    population: number
    search_text: string
  }
  locale_corrections: LocaleCorrectionsTable
  locale_messages: LocaleMessagesTable
}
