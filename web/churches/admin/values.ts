import type { InputOf } from '#shared/api.ts'
import type { Chapter } from '#shared/churches/chapters.ts'
import type { AdminLocale } from '#shared/churches/managed-locale.ts'
import type { FormValues } from '#web/lib/form-result.ts'

type LocaleBody = Omit<InputOf<'PUT /locales/{id}'>['body'], 'made_from'>
type ServantBody = InputOf<'POST /locales/{id}/servants'>['body']
type ScheduleBody = InputOf<'POST /locales/{id}/schedules'>['body']
type ChapterBody = Omit<InputOf<'PUT /mfa/chapters/{id}'>['body'], 'made_from'>

/** Field values as text. */
export function valuesOf(row: AdminLocale | Chapter): FormValues {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(name, value)]))
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.join(CODE_LISTS.has(name) ? ' ' : '\n')
  if (typeof value === 'boolean') return value ? 'on' : ''
  return value === null || value === undefined ? '' : String(value)
}

/** Lists of codes are on one line, all others one entry per line. */
const CODE_LISTS = new Set(['languages', 'languages_available'])

const codesOf = (text: string | undefined) => (text ?? '').split(/[\s,،;]+/).filter(Boolean)
const linesOf = (text: string | undefined) =>
  (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)

/** Invalid numbers are passed on as typed, and rejected by the endpoint. */
function numberOf(text: string | undefined): number | null {
  const plain = (text ?? '').trim().replace(',', '.')
  if (plain === '') return null
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : (text as never)
}

/** Form values of a locale as the endpoint expects them. */
export function localeOf(values: FormValues): LocaleBody {
  const text = (name: string) => values[name] ?? ''
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
    latitude: numberOf(values.latitude),
    longitude: numberOf(values.longitude),
    timezone: text('timezone'),
    phone: text('phone'),
    email: text('email'),
    website: text('website'),
    online_url: text('online_url'),
    languages: codesOf(values.languages),
    has_physical_locale: values.has_physical_locale === 'on',
    general_contact_available: values.general_contact_available === 'on',
    locale_status: (text('locale_status') || 'active') as LocaleBody['locale_status'],
    is_public: values.is_public === 'on',
    discreet_mode: (text('discreet_mode') || null) as LocaleBody['discreet_mode'],
    closed_since: text('closed_since'),
    closed_until: text('closed_until'),
    closed_reason: text('closed_reason'),
    chapter_id: text('chapter_id') || null,
  }
}

export function servantOf(values: FormValues): ServantBody {
  const position = numberOf(values.position)
  return {
    name: values.name ?? '',
    role: values.role ?? '',
    phone: values.phone ?? '',
    email: values.email ?? '',
    is_name_public: values.is_name_public === 'on',
    is_contact_public: values.is_contact_public === 'on',
    user_id: values.user_id || null,
    ...(position === null ? {} : { position: position - 1 }),
  }
}

export function scheduleOf(values: FormValues): ScheduleBody {
  return {
    day_of_week: values.day_of_week ? Number(values.day_of_week) : null,
    recurrence: values.recurrence ?? '',
    starts_on: values.starts_on ?? '',
    ends_on: values.ends_on ?? '',
    start_time: (values.start_time ?? '').slice(0, 5),
    end_time: (values.end_time ?? '').slice(0, 5),
    service_type: (values.service_type ?? '') as ScheduleBody['service_type'],
    title: values.title ?? '',
    language: values.language ?? '',
    is_online: values.is_online === 'on',
    online_url: values.online_url ?? '',
    note: values.note ?? '',
  }
}

/** A coordinator's form has only contact and counts: absent fields stay unchanged. */
export function chapterOf(values: FormValues): ChapterBody {
  const body: Record<string, unknown> = {}
  for (const name of CHAPTER_TEXTS) if (name in values) body[name] = values[name]
  for (const name of CHAPTER_NUMBERS) if (name in values) body[name] = numberOf(values[name])
  for (const name of ['membership_count', 'active_travelers_count']) if (body[name] === null) body[name] = 0
  for (const name of ['facilities', 'special_programs', 'photos_urls'])
    if (name in values) body[name] = linesOf(values[name])
  if ('languages_available' in values) body.languages_available = codesOf(values.languages_available)
  if ('coordinator_id' in values) body.coordinator_id = values.coordinator_id || null
  if ('chapter_name' in values) body.is_public = values.is_public === 'on'
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
