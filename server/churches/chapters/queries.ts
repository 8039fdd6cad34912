import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import { boxAround } from '#shared/churches/box.ts'
import type { Chapter, ChapterQuery } from '#shared/churches/chapters.ts'
import { fold } from '#shared/countries/fold.ts'
import { rowsOf, sortOf } from '#shared/table.ts'

type Names = Pick<Countries, 'find' | 'resolve'>

/** One page of the chapters that the caller may see; near a point, nearest first. */
export async function listChapterRows(db: Db, query: ChapterQuery, countries: Names) {
  const { limit, offset } = rowsOf({ page: query.page, per_page: query.limit ?? query.per_page })
  const { column, direction } = sortOf(query.sort)
  const distance = distanceOf(query)
  const matching = filtered(db, query, countries)
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const by = column === 'chapter_name' ? sql<string>`c.chapter_name collate "C"` : sql<unknown>`c.${sql.ref(column)}`
  const rows = await matching
    .selectAll('c')
    .select(['p.display_name as coordinator_name', distance.as('distance_km')])
    .$if(isNear(query), (near) => near.orderBy('distance_km'))
    .orderBy(by, (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('c.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const chapters = rows.map(({ distance_km, ...row }) => ({ ...chapterOf(row, countries), distance_km }))
  return { chapters, total: Number(total), page: query.page, per_page: query.limit ?? query.per_page }
}

const isNear = ({ latitude, longitude }: ChapterQuery) => latitude !== undefined && longitude !== undefined

const distanceOf = ({ latitude, longitude }: ChapterQuery) =>
  latitude === undefined || longitude === undefined
    ? sql<number | null>`null::float8`
    : sql<number | null>`distance_km(c.latitude, c.longitude, ${latitude}, ${longitude})`

const withCoordinator = (db: Db) =>
  db.selectFrom('mfa_local_chapters as c').leftJoin('user_profiles as p', 'p.id', 'c.coordinator_id')

function filtered(db: Db, query: ChapterQuery, countries: Names) {
  let matching = withCoordinator(db)
  if (query.search) matching = matching.where(containing(query.search))
  if (query.chapter_status) matching = matching.where('c.chapter_status', '=', query.chapter_status)
  if (query.compliance_status) matching = matching.where('c.compliance_status', '=', query.compliance_status)
  if (query.coordinator_id) matching = matching.where('c.coordinator_id', '=', query.coordinator_id)
  // An unknown name is the country of no chapter.
  if (query.country) matching = matching.where('c.country_code', '=', codeOf(query.country, countries) ?? '??')
  const { latitude, longitude, radiusKm } = query
  if (latitude === undefined || longitude === undefined) return matching
  const { south, north, west, east } = boxAround({ latitude, longitude }, radiusKm)
  matching = matching
    .where('c.latitude', '>=', south)
    .where('c.latitude', '<=', north)
    .where(({ eb, and, or }) =>
      (west <= east ? and : or)([eb('c.longitude', '>=', west), eb('c.longitude', '<=', east)]),
    )
  return matching.where(distanceOf(query), '<=', radiusKm)
}

const codeOf = (text: string, countries: Names) =>
  /^[a-z]{2}$/i.test(text) ? countries.find(text)?.code : countries.resolve(text)

/** Matches name and city in any spelling; the contact person, excluded from public search, as written. */
function containing(search: string) {
  const like = (column: string, text: string) => sql`${sql.raw(column)} like ${`%${escapeLike(text)}%`}`
  const folded = fold(search)
  return sql<boolean>`(${folded ? like('c.search_text', folded) : sql`false`}
    or ${like('lower(c.chapter_name)', search.toLowerCase())}
    or ${like('lower(c.city)', search.toLowerCase())}
    or ${like('lower(c.contact_person)', search.toLowerCase())})`
}

export async function findChapter(db: Db, id: string, countries: Names): Promise<Chapter | null> {
  const row = await withCoordinator(db)
    .selectAll('c')
    .select('p.display_name as coordinator_name')
    .where('c.id', '=', id)
    .executeTakeFirst()
  return row ? chapterOf(row, countries) : null
}

type Row = Awaited<ReturnType<typeof readRow>> & {}
const readRow = (db: Db) =>
  withCoordinator(db).selectAll('c').select('p.display_name as coordinator_name').executeTakeFirst()

function chapterOf({ search_text: _, created_at, updated_at, ...row }: Row, countries: Names): Chapter {
  return {
    ...row,
    name: row.chapter_name,
    country: row.country_code ? (countries.find(row.country_code)?.name ?? row.country_code) : null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** How many travelers and churches visible to the caller belong to a chapter. */
export async function countAround(db: Db, id: string) {
  const { members } = await db
    .selectFrom('user_profiles')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('chapter_id', '=', id)
    .where('profile_status', '!=', 'deleted')
    .executeTakeFirstOrThrow()
  const { locales } = await db
    .selectFrom('locales')
    .select(({ fn }) => fn.countAll<number>().as('locales'))
    .where('chapter_id', '=', id)
    .executeTakeFirstOrThrow()
  return { members: Number(members), locales: Number(locales) }
}

export async function countAll(db: Db) {
  const chapters = await db
    .selectFrom('mfa_local_chapters')
    .select(({ fn }) => [
      fn.countAll<number>().as('chapters'),
      fn.countAll<number>().filterWhere('chapter_status', '=', 'active').as('active_chapters'),
      fn.countAll<number>().filterWhere('chapter_status', '=', 'inactive').as('inactive_chapters'),
      fn.countAll<number>().filterWhere('chapter_status', '=', 'suspended').as('suspended_chapters'),
      fn.countAll<number>().filterWhere('compliance_status', '=', 'non_compliant').as('non_compliant_chapters'),
      fn.countAll<number>().filterWhere('compliance_status', '=', 'under_review').as('chapters_under_review'),
      fn.sum<number | null>('membership_count').as('members'),
      fn.sum<number | null>('active_travelers_count').as('active_travelers'),
      fn.count<number>('country_code').distinct().as('countries'),
    ])
    .executeTakeFirstOrThrow()
  const locales = await db
    .selectFrom('locales')
    .select(({ fn }) => [
      fn.countAll<number>().as('locales'),
      fn.countAll<number>().filterWhere('locale_status', '=', 'active').as('active_locales'),
    ])
    .executeTakeFirstOrThrow()
  const counted = { ...chapters, ...locales }
  return Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, Number(value ?? 0)])) as Record<
    keyof typeof counted,
    number
  >
}

const MAX_CHOICES = 2_000

export async function listChoices(db: Db) {
  return {
    chapters: await db
      .selectFrom('mfa_local_chapters')
      .select(['id', 'chapter_name', 'city', 'country_code'])
      .orderBy(sql`chapter_name collate "C"`)
      .orderBy('id')
      .limit(MAX_CHOICES)
      .execute(),
    coordinators: await db
      .selectFrom('user_profiles')
      .select(['id', 'display_name'])
      .where('role', '=', 'mfa_coordinator')
      .where('profile_status', 'in', ['pending', 'active'])
      .orderBy('display_name')
      .orderBy('id')
      .limit(MAX_CHOICES)
      .execute(),
  }
}
