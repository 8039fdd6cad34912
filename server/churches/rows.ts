import { type RawBuilder, sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import type { Stretch } from '#server/http/buffered-response.ts'
import { lastOf } from '#shared/assert.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import { createPacer } from './pace.ts'

/** A cached public locale: the fields it is found by, and its details. */
export interface CachedLocale {
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
  /** Languages of the locale or its services, BCP 47 in lower case. */
  tags: string[]
  /** The stored search_text. */
  text: string
  /**
   * The public details except country and distance; null until loaded. As JSON, the details of 100,000 locales stay
   * outside the heap and are sent unchanged.
   */
  details: Stretch | null
}

// On the embedded database a protocol row costs more than reading it: rows come as one aggregated value.
const BUNDLE = 2_000

/** The fields a row is found by. */
type StoredRow = [
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

/** Public locales by their ids, or all for null, ordered by name and then id. Their details are not loaded yet. */
export async function loadLocales(
  db: Db,
  ids: readonly string[] | null,
  countries: Countries,
): Promise<CachedLocale[]> {
  const toLocale = createLocaleMapper(countries)
  if (!ids) return loadAll(db, toLocale)
  const locales: CachedLocale[] = []
  for (let at = 0; at < ids.length; at += BUNDLE)
    locales.push(...(await read(db, sql`id = any(${ids.slice(at, at + BUNDLE)}::uuid[])`)).map(toLocale))
  return locales.sort(byName)
}

async function loadAll(db: Db, toLocale: (row: StoredRow) => CachedLocale): Promise<CachedLocale[]> {
  const pace = createPacer()
  const locales = new Map<string, CachedLocale>()
  let stored = await read(db, sql`true`)
  while (stored.length > 0) {
    const [id, name] = lastOf(stored)
    // The database reads the next rows while these are processed.
    const following = stored.length < BUNDLE ? [] : read(db, sql`(name collate "C", id) > (${name}, ${id})`)
    await pace.rest()
    // A locale renamed meanwhile appears twice; its change is loaded again afterwards.
    for (const row of stored) if (!locales.has(row[0])) locales.set(row[0], toLocale(row))
    stored = await following
  }
  return [...locales.values()]
}

async function read(db: Db, condition: RawBuilder<unknown>): Promise<StoredRow[]> {
  const { rows } = await sql<{ rows: StoredRow[] | null }>`
    select
      json_agg(json_build_array(l.id, l.name, l.discreet_mode, l.country_code, l.state_province, l.city, l.latitude,
        l.longitude, l.has_physical_locale, l.online_url is not null or l.schedules @> '[{"is_online": true}]', l.languages,
        jsonb_path_query_array(l.schedules, '$[*].language'), l.search_text)) as rows
    from (
      select * from public_locales where ${condition} order by name collate "C", id limit ${BUNDLE}
    ) l`.execute(db)
  return rows[0]?.rows ?? []
}

/** Prepares rows for searching. Values shared by many rows are interned, as JSON parsing does with short texts. */
function createLocaleMapper(countries: Countries): (row: StoredRow) => CachedLocale {
  const alike = new Map<string, string>()
  const intern = (text: string | null): string | null => {
    if (text === null) return text
    const known = alike.get(text)
    if (known === undefined) alike.set(text, text)
    return known ?? text
  }
  return ([
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
  ]) => ({
    id,
    name,
    discreet_mode,
    country: (country_code && countries.find(country_code)?.name) || 'Unknown',
    country_code,
    state_province: intern(state_province),
    city,
    latitude,
    longitude,
    has_physical_locale,
    isOnline: isOnline ?? false,
    tags: [...languages, ...spoken.filter((tag) => tag !== null)].map((tag) => tag.toLowerCase()),
    text: search_text,
    details: null,
  })
}

/** List order: by name, then id, exactly like PostgreSQL's collation "C". */
export function byName(a: CachedLocale, b: CachedLocale): number {
  return compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id)
}

/** `<` compares UTF-16 units, which sorts supplementary characters before some of the basic plane. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [unit, other] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (unit !== other) return rank(unit) - rank(other)
  }
  return a.length - b.length
}

const rank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
