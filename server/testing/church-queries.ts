import { type RawBuilder, sql } from 'kysely'
import type { Question, Term } from '#server/churches/question.ts'
import type { Page } from '#server/churches/search.ts'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import { boxAround } from '#shared/churches/box.ts'
import type { Point } from '#shared/churches/distance.ts'
import { NEAREST_WITHOUT_RADIUS } from '#shared/churches/endpoints.ts'

/** Ordered ids of one page, and the total. */
export interface FoundIds {
  ids: string[]
  total: number
}

const ON_EARTH_KM = 20_100
/** Allows for rounding to the metre and for 111 km per degree. */
const MARGIN = 1.01
const MARGIN_KM = 0.01

/** The read model's result, computed in SQL: the reference for tests and benchmarks. */
export async function searchInSql(db: Db, question: Question, page: Page): Promise<FoundIds> {
  const { point, radiusKm } = question
  if (!point) return run(db, byName(question, page))
  if (radiusKm === null) return run(db, byDistance(question, point, page))
  const near = await run(db, within(question, point, radiusKm, page))
  if (near.total > 0) return near
  const nearest = await nearestInSql(db, question, point, NEAREST_WITHOUT_RADIUS)
  return { ids: nearest.slice(page.offset, page.offset + page.limit), total: nearest.length }
}

/** The nearest by growing boxes: stops at the first with enough matches within its radius. */
export async function nearestInSql(db: Db, question: Question, point: Point, count: number): Promise<string[]> {
  for (let km = 50; ; km *= 4) {
    const found = await run(db, within(question, point, Math.min(km, ON_EARTH_KM), { limit: count, offset: 0 }))
    if (found.ids.length === count || km > ON_EARTH_KM) return found.ids
  }
}

export const byName = (question: Question, page: Page) =>
  paged(sql`select id, name from public_locales where ${matches(question)}`, sql`name collate "C", id`, page)

export const within = (question: Question, point: Point, km: number, page: Page) =>
  paged(
    sql`select id, km from (
      select id, ${distance(point)} as km from public_locales where ${boxes(point, km)} and ${matches(question)}
    ) l where km <= ${km}`,
    sql`km, id`,
    page,
  )

const byDistance = (question: Question, point: Point, page: Page) =>
  paged(
    sql`select id, ${distance(point)} as km from public_locales where ${matches(question)}`,
    sql`km nulls last, id`,
    page,
  )

/** One row: the ordered ids of the page, and the total. */
const paged = (matching: RawBuilder<unknown>, order: RawBuilder<unknown>, { limit, offset }: Page) => sql<FoundIds>`
  with matching as materialized (${matching})
  select (select count(*) from matching) as total,
    array(select id from matching order by ${order} limit ${limit} offset ${offset}) as ids`

async function run(db: Db, query: RawBuilder<FoundIds>): Promise<FoundIds> {
  const { rows } = await query.execute(db)
  return rows[0]!
}

const distance = ({ latitude, longitude }: Point) =>
  sql`round(distance_km(${latitude}::double precision, ${longitude}::double precision, latitude, longitude)::numeric, 3)`

/** The point index supports boxes; a box across the 180th meridian becomes two. */
function boxes(point: Point, km: number) {
  const { south, north, west, east } = boxAround(point, km * MARGIN + MARGIN_KM)
  const box = (from: number, to: number) =>
    sql`point(longitude, latitude) <@ ${`((${from},${south}),(${to},${north}))`}::box`
  return west > east
    ? sql`latitude is not null and (${box(west, 180)} or ${box(-180, east)})`
    : sql`latitude is not null and ${box(west, east)}`
}

function matches(question: Question): RawBuilder<unknown> {
  const { terms, codes, language, isBuilding, isOnline } = question
  const conditions: RawBuilder<unknown>[] = terms.map(holds)
  if (codes) conditions.push(sql`country_code = any(${codes}::text[])`)
  if (isBuilding !== undefined) conditions.push(sql`has_physical_locale = ${isBuilding}`)
  if (isOnline !== undefined)
    conditions.push(sql`(online_url is not null or schedules @> '[{"is_online": true}]') = ${isOnline}`)
  if (language)
    conditions.push(sql`(exists (select from unnest(languages) l where lower(l) = ${language} or lower(l) like ${`${escapeLike(language)}-%`})
      or exists (select from jsonb_array_elements(schedules) s
        where lower(s ->> 'language') = ${language} or lower(s ->> 'language') like ${`${escapeLike(language)}-%`}))`)
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

function holds({ words, code }: Term): RawBuilder<unknown> {
  const occur = sql.join(
    words.map((word) => sql`search_text like ${`%${escapeLike(word)}%`}`),
    sql` and `,
  )
  return code === null ? occur : sql`(country_code = ${code} or (${occur}))`
}
