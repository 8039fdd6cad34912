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
  if (!ids) return loadAll(db, hold)
  const held: HeldLocale[] = []
  for (let at = 0; at < ids.length; at += BUNDLE)
    held.push(...(await hold(await read(db, sql`id = any(${ids.slice(at, at + BUNDLE)}::uuid[])`))))
  return held.sort(byName)
}

async function loadAll(db: Db, hold: (bundle: Bundle) => Promise<HeldLocale[]>): Promise<HeldLocale[]> {
  const held = new Map<string, HeldLocale>()
  let bundle: Bundle | null = await read(db, sql`true`)
  while (bundle) {
    const stored: Stored[] = bundle.rows ?? []
    const [id, name] = stored.at(-1) ?? []
    // The database reads on while these are held.
    const [rows, next]: [HeldLocale[], Bundle | null] = await Promise.all([
      hold(bundle),
      stored.length < BUNDLE ? null : read(db, sql`(name collate "C", id) > (${name}, ${id})`),
    ])
    // One that is renamed meanwhile comes twice; as it was changed it is read once more after this.
    for (const row of rows) if (!held.has(row.id)) held.set(row.id, row)
    bundle = next
  }
  return [...held.values()]
}

async function read(db: Db, condition: RawBuilder<unknown>): Promise<Bundle> {
  const { rows } = await sql<Bundle>`
    select
      json_agg(json_build_array(l.id, l.name, l.discreet_mode, l.country_code, l.state_province, l.city, l.latitude,
        l.longitude, l.has_physical_locale, l.online_url is not null or l.schedules @> '[{"is_online": true}]', l.languages,
        jsonb_path_query_array(l.schedules, '$[*].language'), l.search_text)) as rows,
      string_agg(row_to_json(told)::text, E'\\n') as lines
    from (
      select * from public_locales where ${condition} order by name collate "C", id limit ${BUNDLE}
    ) l
    cross join lateral (
      select
        l.id, 'locale' as source_type, l.discreet_mode, l.name, l.common_name, l.local_name, l.local_address,
        l.address_line1 as address, l.address_line1, l.address_line2, l.city, l.state_province, l.postal_code,
        l.country_code, l.latitude, l.longitude, l.phone, l.email, l.website, l.online_url, l.has_physical_locale,
        l.general_contact_available, 'active' as locale_status, l.languages, l.timezone, l.closed_since, l.closed_until,
        l.closed_reason, l.chapter_name,
        to_char(l.confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as confirmed_at, l.confirmed_as,
        case when l.photos = '[]' then '[]' else (
          select json_agg(json_build_object(
            'url', format('/api/public/locales/%s/photos/%s', l.id, photo ->> 'file_id'),
            'description', photo -> 'description'))
          from jsonb_array_elements(l.photos) photo
        ) end as photos,
        l.servants, l.schedules as service_schedules
    ) told`.execute(db)
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
