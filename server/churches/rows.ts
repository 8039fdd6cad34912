import { type RawBuilder, sql } from 'kysely'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Countries } from '../countries/reference.ts'
import type { Db } from '../db/connection.ts'

/** A locale without what is read only when it is told. */
export type BriefLocale = Omit<FoundLocale, 'servants' | 'service_schedules' | 'distance_km'>

/** A public locale as it is held: the answer ready to give, and what it is found by. */
export interface HeldLocale {
  locale: BriefLocale
  /** Its people and services as JSON: a third of the memory, and read for the few rows that are told. */
  servants: string
  schedules: string
  /** The stored search_text. */
  text: string
  city: string
  state: string
  /** What is spoken by its people or in its services, BCP 47 in small letters. */
  tags: string[]
  isOnline: boolean
}

// A row of the protocol costs the embedded database more than reading it: rows come as one list in one value.
const BUNDLE = 2_000

/** A row as the query below gives it. */
type Stored = [
  id: string,
  discreet_mode: FoundLocale['discreet_mode'],
  name: string,
  common_name: string | null,
  local_name: string | null,
  local_address: string | null,
  address_line1: string | null,
  address_line2: string | null,
  city: string | null,
  state_province: string | null,
  postal_code: string | null,
  country_code: string | null,
  latitude: number | null,
  longitude: number | null,
  phone: string | null,
  email: string | null,
  website: string | null,
  online_url: string | null,
  has_physical_locale: boolean,
  general_contact_available: boolean,
  languages: string[],
  timezone: string | null,
  closed_since: string | null,
  closed_until: string | null,
  closed_reason: string | null,
  chapter_name: string | null,
  confirmed_at: string | null,
  confirmed_as: string | null,
  servants: string,
  schedules: string,
  /** Languages of its services, null for those without one; and whether one of them is online. */
  spoken: (string | null)[],
  hasOnline: boolean,
  photos: { file_id: string; description: string }[],
  search_text: string,
]

/** Public locales by their ids, or all of them for null, ordered by name and then id. */
export async function loadLocales(db: Db, ids: readonly string[] | null, countries: Countries): Promise<HeldLocale[]> {
  const held: HeldLocale[] = []
  const hold = createHolder(countries)
  if (ids) {
    for (let at = 0; at < ids.length; at += BUNDLE)
      for (const row of await bundle(db, sql`id = any(${ids.slice(at, at + BUNDLE)}::uuid[])`)) held.push(hold(row))
    return held.sort(byName)
  }
  for (let rows = await bundle(db, sql`true`); rows.length > 0; ) {
    for (const row of rows) held.push(hold(row))
    const [id, , name] = rows.at(-1)!
    rows = rows.length < BUNDLE ? [] : await bundle(db, sql`(name collate "C", id) > (${name}, ${id})`)
  }
  return held
}

async function bundle(db: Db, condition: RawBuilder<unknown>): Promise<Stored[]> {
  const { rows } = await sql<{ rows: Stored[] | null }>`
    select json_agg(json_build_array(id, discreet_mode, name, common_name, local_name, local_address, address_line1,
      address_line2, city, state_province, postal_code, country_code, latitude, longitude, phone, email, website,
      online_url, has_physical_locale, general_contact_available, languages, timezone, closed_since, closed_until,
      closed_reason, chapter_name, confirmed_at, confirmed_as, servants::text, schedules::text,
      jsonb_path_query_array(schedules, '$[*].language'), schedules @> '[{"is_online": true}]', photos, search_text)) as rows
    from (
      select * from public_locales where ${condition} order by name collate "C", id limit ${BUNDLE}
    ) l`.execute(db)
  return rows[0]!.rows ?? []
}

/** Makes rows ready to give. What many rows have alike is folded once and held once. */
function createHolder(countries: Countries): (row: Stored) => HeldLocale {
  const alike = new Map<string, string>()
  const one = <T extends string | null>(text: T): T => {
    if (text === null) return text
    const known = alike.get(text)
    if (known === undefined) alike.set(text, text)
    return (known ?? text) as T
  }
  const folded = new Map<string, string>()
  const foldOnce = (text: string | null) => {
    if (text === null) return ''
    if (!folded.has(text)) folded.set(text, one(fold(text)))
    return folded.get(text)!
  }
  return ([
    id,
    discreet_mode,
    name,
    common_name,
    local_name,
    local_address,
    address_line1,
    address_line2,
    city,
    state_province,
    postal_code,
    country_code,
    latitude,
    longitude,
    phone,
    email,
    website,
    online_url,
    has_physical_locale,
    general_contact_available,
    languages,
    timezone,
    closed_since,
    closed_until,
    closed_reason,
    chapter_name,
    confirmed_at,
    confirmed_as,
    servants,
    schedules,
    spoken,
    hasOnline,
    photos,
    search_text,
  ]) => ({
    locale: {
      id,
      source_type: 'locale',
      discreet_mode,
      name,
      common_name,
      local_name,
      local_address,
      address: address_line1,
      address_line1,
      address_line2,
      city: one(city),
      state_province: one(state_province),
      postal_code,
      country: (country_code && countries.find(country_code)?.name) || 'Unknown',
      country_code: one(country_code),
      latitude,
      longitude,
      phone,
      email,
      website,
      online_url,
      has_physical_locale,
      general_contact_available,
      locale_status: 'active',
      languages: languages.map(one),
      timezone: one(timezone),
      closed_since,
      closed_until,
      closed_reason,
      chapter_name: one(chapter_name),
      confirmed_at: confirmed_at && new Date(confirmed_at).toISOString(),
      confirmed_as: one(confirmed_as),
      photos: photos.map(({ file_id, description }) => ({
        url: `/api/public/locales/${id}/photos/${file_id}`,
        description,
      })),
    },
    servants,
    schedules,
    text: search_text,
    city: foldOnce(city),
    state: foldOnce(state_province),
    tags: [...languages, ...spoken.filter((tag) => tag !== null)].map((tag) => one(tag.toLowerCase())),
    isOnline: online_url !== null || hasOnline,
  })
}

/** A locale as it is told, with how far it is where a point was asked for. */
export const wholeLocale = ({ locale, servants, schedules }: HeldLocale, km: number | null = null): FoundLocale => ({
  ...locale,
  servants: JSON.parse(servants),
  service_schedules: JSON.parse(schedules),
  distance_km: km,
})

/** The JSON of the same, without reading what is held as text. */
export const wholeLocaleJson = ({ locale, servants, schedules }: HeldLocale, km: number | null): string =>
  `${JSON.stringify(locale).slice(0, -1)},"servants":${servants},"service_schedules":${schedules},"distance_km":${km}}`

/** The order of a list: by name, then id, exactly as PostgreSQL has it under the collation "C". */
export function byName(a: HeldLocale, b: HeldLocale): number {
  return compareCodePoints(a.locale.name, b.locale.name) || compareCodePoints(a.locale.id, b.locale.id)
}

/** `<` would put letters outside of the basic plane before some that are in it. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (one !== other) return rank(one) - rank(other)
  }
  return a.length - b.length
}

const rank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
