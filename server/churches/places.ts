import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { City } from '#shared/churches/endpoints.ts'
import { cleanText } from './question.ts'

const COLUMNS = ['id', 'name', 'country_code', 'state_province', 'latitude', 'longitude'] as const

/**
 * Cities by name: exact matches first, then names that begin with it, then names that contain it; largest first within
 * each. `codes` are the countries to search; null: all.
 */
export async function findPlaces(db: Db, name: string, codes: string[] | null, limit: number): Promise<City[]> {
  const text = cleanText(name.replaceAll('|', ' '))
  if (!text) return []
  const like = escapeLike(text)
  const found = await matching(db, `%|${like}%`, codes, `%|${like}|%`, limit)
  if (found.length >= limit) return found
  // Names are separated by bars, so this finds the same cities and more.
  const more = await matching(db, `%${like}%`, codes, `%|${like}|%`, limit + found.length)
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...more.filter(({ id }) => !known.has(id))].slice(0, limit)
}

const matching = (db: Db, pattern: string, codes: string[] | null, exact: string, limit: number): Promise<City[]> =>
  db
    .selectFrom('cities')
    .select(COLUMNS)
    .where('search_text', 'like', pattern)
    .$if(codes !== null, (query) => query.where('country_code', '=', sql<string>`any(${codes}::text[])`))
    .orderBy(sql`search_text like ${exact}`, 'desc')
    .orderBy('population', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
