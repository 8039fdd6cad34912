import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { boxAround } from '#shared/churches/box.ts'
import { distanceKm } from '#shared/churches/distance.ts'
import type { ChapterFilters, PublicChapter } from '#shared/churches/public-chapters.ts'
import { fold } from '#shared/countries/fold.ts'
import { readQuestion, tokenize } from './question.ts'

/** For a country or a bounding box; there are never that many. */
const MAX_READ = 5_000

/**
 * Chapters visitors may find: by words of name, city and state only, whatever else the stored text contains, and within
 * the radius of a point, nearest first.
 */
export async function findPublicChapters(
  db: Db,
  countries: Countries,
  { search, country, lat, lng, radius, limit }: ChapterFilters,
): Promise<PublicChapter[]> {
  const { codes } = readQuestion({ country }, countries)
  const point = lat === undefined || lng === undefined ? null : { latitude: lat, longitude: lng }
  const words = tokenize(search)
  let query = db.selectFrom('public_chapters').selectAll()
  if (codes) query = query.where('country_code', '=', sql<string>`any(${codes}::text[])`)
  if (point) {
    const { south, north, west, east } = boxAround(point, radius)
    query = query.where('latitude', '>=', south).where('latitude', '<=', north)
    query = query.where(({ eb }) => {
      const [from, to] = [eb('longitude', '>=', west), eb('longitude', '<=', east)]
      return west > east ? eb.or([from, to]) : eb.and([from, to])
    })
  }
  const rows = await query.orderBy(sql`chapter_name collate "C"`).orderBy('id').limit(MAX_READ).execute()
  return rows
    .filter((row) => {
      const text = fold([row.chapter_name, row.city, row.state_province].filter(Boolean).join(' | '))
      return words.every((word) => text.includes(word))
    })
    .map(({ search_text: _, ...row }) => ({
      ...row,
      country: (row.country_code && countries.find(row.country_code)?.name) || 'Unknown',
      distance_km:
        point && row.latitude !== null ? distanceKm(point, row as { latitude: number; longitude: number }) : null,
    }))
    .filter(({ distance_km }) => distance_km === null || distance_km <= radius)
    .sort((a, b) => (a.distance_km ?? 0) - (b.distance_km ?? 0))
    .slice(0, limit)
}
