import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { KM_PER_DEGREE } from '#shared/churches/box.ts'
import type { Duplicate } from '#shared/churches/managed-locale.ts'
import { fold } from '#shared/countries/fold.ts'

/** Locales nearer than this may be the same. */
const NEAR_KM = 0.2
const MAX_DUPLICATES = 10

interface DuplicateQuery {
  name?: string | null | undefined
  city?: string | null | undefined
  country_code?: string | null | undefined
  latitude?: number | null | undefined
  longitude?: number | null | undefined
}

/** Possible duplicates: locales of the same name in the same city, or at the same place. For a human to judge. */
export async function findDuplicates(db: Db, query: DuplicateQuery): Promise<Duplicate[]> {
  const [named, placed] = [await sameName(db, query), await samePlace(db, query)]
  const seen = new Set(named.map(({ id }) => id))
  return [...named, ...placed.filter(({ id }) => !seen.has(id))].slice(0, MAX_DUPLICATES)
}

const COLUMNS = ['id', 'name', 'common_name', 'city', 'address_line1'] as const

/**
 * Ignores accents, case and width. Only the portal's own fold does that, so names are compared here, country by
 * country.
 */
async function sameName(db: Db, { name, city, country_code }: DuplicateQuery): Promise<Duplicate[]> {
  if (!name) return []
  const rows = await db
    .selectFrom('locales')
    .select(COLUMNS)
    .where(({ or, eb }) =>
      or([eb('country_code', 'is', null), ...(country_code ? [eb('country_code', '=', country_code)] : [])]),
    )
    .execute()
  const [wanted, place] = [fold(name), fold(city ?? '')]
  return rows
    .filter((row) => [row.name, row.common_name].some((known) => known && fold(known) === wanted))
    .filter((row) => fold(row.city ?? '') === place)
    .map(({ common_name: _, ...row }) => ({ ...row, distance_km: null, why: 'name' }))
}

async function samePlace(db: Db, { latitude, longitude }: DuplicateQuery): Promise<Duplicate[]> {
  if (latitude == null || longitude == null) return []
  const reach = NEAR_KM / KM_PER_DEGREE
  const distance = sql<number>`distance_km(latitude, longitude, ${latitude}, ${longitude})`
  const rows = await db
    .selectFrom('locales')
    .select(COLUMNS)
    .select(distance.as('distance_km'))
    // A latitude band is selective enough for the index, and has no edge at the date line.
    .where('latitude', '>=', latitude - reach)
    .where('latitude', '<=', latitude + reach)
    .where(distance, '<=', NEAR_KM)
    .orderBy('distance_km')
    .limit(MAX_DUPLICATES)
    .execute()
  return rows.map(({ common_name: _, ...row }) => ({ ...row, why: 'place' }))
}
