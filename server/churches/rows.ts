import { type RawBuilder, sql } from 'kysely'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import type { Countries } from '../countries/reference.ts'
import type { Db } from '../db/connection.ts'
import type { Stretch } from '../http/written.ts'
import { createPacer } from './pace.ts'

/** A public locale as it is held: what it is found by, and the answer about it, ready but for country and distance. */
export interface HeldLocale {
  id: string
  name: string
  discreet_mode: FoundLocale['discreet_mode']
  country: string
  country_code: string | null
  state_province: string | null
  city: string | null
  latitude: number | null
  longitude: number | null
  has_physical_locale: boolean
  isOnline: boolean
  /** What is spoken by its people or in its services, BCP 47 in small letters. */
  tags: string[]
  /** The stored search_text. */
  text: string
  /** JSON: of 100,000 locales it lies outside of the heap, and goes to a caller as it is. */
  told: Stretch
}

// A row of the protocol costs the embedded database more than reading it: rows come as one list in one value.
const BUNDLE = 2_000
const NEWLINE = 10

/** Rows as the query below gives them. */
interface Bundle {
  rows: Stored[] | null
  /** JSON has no line break but between its tokens, and `row_to_json` sets none there: a line is what is told of a row. */
  lines: string | null
}

/** What a row is found by. */
type Stored = [
  id: string,
  name: string,
  discreet_mode: FoundLocale['discreet_mode'],
  country_code: string | null,
  state_province: string | null,
  city: string | null,
  latitude: number | null,
  longitude: number | null,
  has_physical_locale: boolean,
  isOnline: boolean | null,
  languages: string[],
  /** Languages of its services, null for those without one. */
  spoken: (string | null)[],
  search_text: string,
]

/** Public locales by their ids, or all of them for null, ordered by name and then id. */
export async function loadLocales(db: Db, ids: readonly string[] | null, countries: Countries): Promise<HeldLocale[]> {
  const hold = createHolder(countries)
  const held: HeldLocale[] = []
  if (ids) {
    for (let at = 0; at < ids.length; at += BUNDLE)
      held.push(...(await hold(await read(db, sql`id = any(${ids.slice(at, at + BUNDLE)}::uuid[])`))))
    return held.sort(byName)
  }
  for (let next: Promise<Bundle> | null = read(db, sql`true`); next; ) {
    const bundle: Bundle = await next
    const [id, name] = bundle.rows?.at(-1) ?? []
    const isLast = (bundle.rows?.length ?? 0) < BUNDLE
    // The database reads on while these are held.
    next = isLast ? null : read(db, sql`(name collate "C", id) > (${name}, ${id})`)
    held.push(...(await hold(bundle)))
  }
  return held
}

async function read(db: Db, condition: RawBuilder<unknown>): Promise<Bundle> {
  const { rows } = await sql<Bundle>`
    select
      json_agg(json_build_array(id, name, discreet_mode, country_code, state_province, city, latitude, longitude,
        has_physical_locale, online_url is not null or schedules @> '[{"is_online": true}]', languages,
        jsonb_path_query_array(schedules, '$[*].language'), search_text)) as rows,
      string_agg(row_to_json((select told from (select
        id, 'locale' as source_type, discreet_mode, name, common_name, local_name, local_address,
        address_line1 as address, address_line1, address_line2, city, state_province, postal_code, country_code,
        latitude, longitude, phone, email, website, online_url, has_physical_locale, general_contact_available,
        'active' as locale_status, languages, timezone, closed_since, closed_until, closed_reason, chapter_name,
        to_char(confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as confirmed_at, confirmed_as,
        case when photos = '[]' then '[]' else (
          select json_agg(json_build_object(
            'url', format('/api/public/locales/%s/photos/%s', l.id, photo ->> 'file_id'),
            'description', photo -> 'description'))
          from jsonb_array_elements(photos) photo
        ) end as photos,
        servants, schedules as service_schedules
      ) told))::text, E'\\n') as lines
    from (
      select * from public_locales where ${condition} order by name collate "C", id limit ${BUNDLE}
    ) l`.execute(db)
  return rows[0]!
}

/** Holds bundle after bundle, each when others have had their turn. */
function createHolder(countries: Countries): (bundle: Bundle) => Promise<HeldLocale[]> {
  const pace = createPacer()
  const hold = createRowHolder(countries)
  return async ({ rows, lines }) => {
    await pace.rest()
    const bytes = Buffer.from(lines ?? '')
    let from = 0
    return (rows ?? []).map((row) => {
      const end = bytes.indexOf(NEWLINE, from)
      const told = { bytes, from, to: end === -1 ? bytes.length : end }
      from = told.to + 1
      return hold(row, told)
    })
  }
}

/** Makes rows ready to be found. What many rows have alike is held once, as the reading of JSON does with short texts. */
function createRowHolder(countries: Countries): (row: Stored, told: Stretch) => HeldLocale {
  const alike = new Map<string, string>()
  const one = (text: string | null): string | null => {
    if (text === null) return text
    const known = alike.get(text)
    if (known === undefined) alike.set(text, text)
    return known ?? text
  }
  return (
    [
      id,
      name,
      discreet_mode,
      country_code,
      state_province,
      city,
      latitude,
      longitude,
      has_physical_locale,
      isOnline,
      languages,
      spoken,
      search_text,
    ],
    told,
  ) => ({
    id,
    name,
    discreet_mode,
    country: (country_code && countries.find(country_code)?.name) || 'Unknown',
    country_code,
    state_province: one(state_province),
    city,
    latitude,
    longitude,
    has_physical_locale,
    isOnline: isOnline ?? false,
    tags: [...languages, ...spoken.filter((tag) => tag !== null)].map((tag) => tag.toLowerCase()),
    text: search_text,
    told,
  })
}

/** A locale as it is told, with how far it is where a point was asked for. */
export const wholeLocale = ({ country, told }: HeldLocale, km: number | null = null): FoundLocale => ({
  ...JSON.parse(told.bytes.toString('utf8', told.from, told.to)),
  country,
  distance_km: km,
})

/** The JSON of the same, in parts to be joined, without reading what is held. */
export const wholeLocaleJson = ({ country, told }: HeldLocale, km: number | null): [string, Stretch] => [
  `{"country":${JSON.stringify(country)},"distance_km":${km},`,
  { ...told, from: told.from + 1 },
]

/** The order of a list: by name, then id, exactly as PostgreSQL has it under the collation "C". */
export function byName(a: HeldLocale, b: HeldLocale): number {
  return compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id)
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
