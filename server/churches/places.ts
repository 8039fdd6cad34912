import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { City } from '#shared/churches/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import type { PlaceName } from './place-name.ts'
import { cleanText } from './question.ts'

/** Of several with the same name in the same state or country, the first: nobody could tell them apart. */
export function distinctPlaces(cities: readonly City[]): City[] {
  const known = new Map<string, City>()
  for (const city of cities) {
    const key = [fold(city.name), city.state_province, city.country_code].join('|')
    if (!known.has(key)) known.set(key, city)
  }
  return [...known.values()]
}

const COLUMNS = ['id', 'name', 'country_code', 'state_province', 'latitude', 'longitude'] as const

/** Cities of exactly this name, largest first. `codes` are the countries to search; null: all. */
export async function findNamedPlaces(
  db: Db,
  { name, country, state }: PlaceName,
  codes: string[] | null,
  limit: number,
): Promise<City[]> {
  const text = cleanText(name.replaceAll('|', ' '))
  if (!text) return []
  const pattern = `%|${escapeLike(text)}|%`
  const within = [
    ...(country ? [sql<boolean>`country_code = ${country}`] : []),
    ...(state ? [sql<boolean>`state_province = ${state}`] : []),
  ]
  return matching(db, pattern, { codes, exact: pattern, limit, within })
}

/**
 * Cities by name: exact matches first, then names that begin with it, then names that contain it; largest first within
 * each. `codes` are the countries to search; null: all.
 */
export async function findPlaces(db: Db, name: string, codes: string[] | null, limit: number): Promise<City[]> {
  const found = await findPlacesThatBegin(db, name, codes, limit)
  const text = cleanText(name.replaceAll('|', ' '))
  if (!text || found.length >= limit) return found
  const like = escapeLike(text)
  // Names are separated by bars, so this finds the same cities and more.
  const more = await matching(db, `%${like}%`, { codes, exact: `%|${like}|%`, limit: limit + found.length })
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...more.filter(({ id }) => !known.has(id))].slice(0, limit)
}

/** The same without those that only contain it. */
export async function findPlacesThatBegin(
  db: Db,
  name: string,
  codes: string[] | null,
  limit: number,
): Promise<City[]> {
  const text = cleanText(name.replaceAll('|', ' '))
  if (!text) return []
  const like = escapeLike(text)
  return matching(db, `%|${like}%`, { codes, exact: `%|${like}|%`, limit })
}

interface Wanted {
  codes: string[] | null
  exact: string
  limit: number
  within?: RawBuilder<boolean>[]
}

const matching = (db: Db, pattern: string, { codes, exact, limit, within = [] }: Wanted): Promise<City[]> =>
  db
    .selectFrom('cities')
    .select(COLUMNS)
    .where('search_text', 'like', pattern)
    .$if(codes !== null, (query) => query.where('country_code', '=', sql<string>`any(${codes}::text[])`))
    .where(({ and }) => and(within))
    .orderBy(sql`search_text like ${exact}`, 'desc')
    .orderBy('population', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
