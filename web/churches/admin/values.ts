import type { InputOf } from '#shared/api.ts'
import type { Chapter } from '#shared/churches/chapters.ts'
import type { LocaleInHand } from '#shared/churches/managed-locale.ts'
import type { Typed } from './posted.ts'

type LocaleBody = Omit<InputOf<'PUT /locales/{id}'>['body'], 'made_from'>
type ServantBody = InputOf<'POST /locales/{id}/servants'>['body']
type ScheduleBody = InputOf<'POST /locales/{id}/schedules'>['body']
type ChapterBody = Omit<InputOf<'PUT /mfa/chapters/{id}'>['body'], 'made_from'>

/** Anything as the text that stands in a field. */
export function valuesOf(row: LocaleInHand | Chapter): Typed {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(name, value)]))
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.join(WORDS.has(name) ? ' ' : '\n')
  if (typeof value === 'boolean') return value ? 'on' : ''
  return value === null || value === undefined ? '' : String(value)
}

/** Lists of codes stand in one line, all others one in each. */
const WORDS = new Set(['languages', 'languages_available'])

const wordsOf = (text: string | undefined) => (text ?? '').split(/[\s,،;]+/).filter(Boolean)
const linesOf = (text: string | undefined) =>
  (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)

/** What is no number goes along as it was typed, and is refused where it is looked at. */
function numberOf(text: string | undefined): number | null {
  const plain = (text ?? '').trim().replace(',', '.')
  if (plain === '') return null
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : (text as never)
}

/** What the form of a locale says, as the endpoint takes it. */
export function localeOf(typed: Typed): LocaleBody {
  const text = (name: string) => typed[name] ?? ''
  return {
    external_id: text('external_id'),
    name: text('name'),
    common_name: text('common_name'),
    local_name: text('local_name'),
    local_address: text('local_address'),
    address_line1: text('address_line1'),
    address_line2: text('address_line2'),
    city: text('city'),
    state_province: text('state_province'),
    postal_code: text('postal_code'),
    country_code: text('country_code'),
    latitude: numberOf(typed.latitude),
    longitude: numberOf(typed.longitude),
    timezone: text('timezone'),
    phone: text('phone'),
    email: text('email'),
    website: text('website'),
    online_url: text('online_url'),
    languages: wordsOf(typed.languages),
    has_physical_locale: typed.has_physical_locale === 'on',
    general_contact_available: typed.general_contact_available === 'on',
    locale_status: (text('locale_status') || 'active') as LocaleBody['locale_status'],
    is_public: typed.is_public === 'on',
    discreet_mode: (text('discreet_mode') || null) as LocaleBody['discreet_mode'],
    closed_since: text('closed_since'),
    closed_until: text('closed_until'),
    closed_reason: text('closed_reason'),
    chapter_id: text('chapter_id') || null,
  }
}

export function servantOf(typed: Typed): ServantBody {
  const position = numberOf(typed.position)
  return {
    name: typed.name ?? '',
    role: typed.role ?? '',
    phone: typed.phone ?? '',
    email: typed.email ?? '',
    is_name_public: typed.is_name_public === 'on',
    is_contact_public: typed.is_contact_public === 'on',
    user_id: typed.user_id || null,
    ...(position === null ? {} : { position: position - 1 }),
  }
}

export function scheduleOf(typed: Typed): ScheduleBody {
  return {
    day_of_week: typed.day_of_week ? Number(typed.day_of_week) : null,
    recurrence: typed.recurrence ?? '',
    starts_on: typed.starts_on ?? '',
    ends_on: typed.ends_on ?? '',
    start_time: (typed.start_time ?? '').slice(0, 5),
    end_time: (typed.end_time ?? '').slice(0, 5),
    service_type: (typed.service_type ?? '') as ScheduleBody['service_type'],
    title: typed.title ?? '',
    language: typed.language ?? '',
    is_online: typed.is_online === 'on',
    online_url: typed.online_url ?? '',
    note: typed.note ?? '',
  }
}

/** A coordinator's form has contact and counts alone: what is not in it stays as it is. */
export function chapterOf(typed: Typed): ChapterBody {
  const body: Record<string, unknown> = {}
  for (const name of CHAPTER_TEXTS) if (name in typed) body[name] = typed[name]
  for (const name of CHAPTER_NUMBERS) if (name in typed) body[name] = numberOf(typed[name])
  for (const name of ['membership_count', 'active_travelers_count']) if (body[name] === null) body[name] = 0
  for (const name of ['facilities', 'special_programs', 'photos_urls'])
    if (name in typed) body[name] = linesOf(typed[name])
  if ('languages_available' in typed) body.languages_available = wordsOf(typed.languages_available)
  if ('coordinator_id' in typed) body.coordinator_id = typed.coordinator_id || null
  if ('chapter_name' in typed) body.is_public = typed.is_public === 'on'
  return body as ChapterBody
}

const CHAPTER_TEXTS = [
  'chapter_name',
  'city',
  'state_province',
  'country_code',
  'full_address',
  'contact_person',
  'contact_position',
  'contact_phone',
  'contact_email',
  'chapter_status',
  'compliance_status',
]
const CHAPTER_NUMBERS = ['latitude', 'longitude', 'membership_count', 'active_travelers_count']
