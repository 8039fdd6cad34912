import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { Stretch } from '#server/http/buffered-response.ts'
import { firstOf } from '#shared/assert.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import type { CachedLocale } from './rows.ts'

/** A public locale whose public details are loaded. */
export type DetailedLocale = CachedLocale & { details: Stretch }

export const hasDetails = (locale: CachedLocale): locale is DetailedLocale => locale.details !== null

const NEWLINE = 10
/** About 250 locales: the embedded database serves no one else while they are read. */
const PAGES = 40

/**
 * Loads the public details of these locales. One that is no longer public, or whose mode has changed, stays without:
 * its details must not be shown with a distance to its earlier location.
 */
export async function readDetails(db: Db, locales: readonly CachedLocale[]): Promise<void> {
  const byId = new Map(locales.map((locale) => [locale.id, locale]))
  await readInto((id) => byId.get(id), db, sql`id = any(${[...byId.keys()]}::uuid[])`)
}

/** The number of chunks in which the table is read. */
export async function countChunks(db: Db): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size('public_locales') / current_setting('block_size')::int)::int as pages`.execute(db)
  return Math.ceil(firstOf(rows).pages / PAGES)
}

/**
 * Loads the public details of one chunk of the table in physical order: by name, nearly each would be on a page of its
 * own.
 */
export async function readDetailsOfChunk(
  db: Db,
  localeOf: (id: string) => CachedLocale | undefined,
  chunk: number,
): Promise<void> {
  const [from, to] = [chunk, chunk + 1].map((index) => sql`${`(${index * PAGES},0)`}::tid`)
  await readInto(localeOf, db, sql`ctid >= ${from} and ctid < ${to}`)
}

async function readInto(localeOf: (id: string) => CachedLocale | undefined, db: Db, condition: RawBuilder<unknown>) {
  const { modes, lines } = await read(db, condition)
  const bytes = Buffer.from(lines ?? '')
  let from = 0
  for (const [id, mode] of modes ?? []) {
    const end = bytes.indexOf(NEWLINE, from)
    const to = end === -1 ? bytes.length : end
    const locale = localeOf(id)
    if (locale?.discreet_mode === mode) locale.details = { bytes, from, to }
    from = to + 1
  }
}

/** On the embedded database a protocol row costs more than reading it: all rows come as one aggregated value. */
interface Bundle {
  modes: [id: string, discreet_mode: string][] | null
  /** One line per locale: JSON has line breaks only between tokens, and `row_to_json` inserts none. */
  lines: string | null
}

async function read(db: Db, condition: RawBuilder<unknown>): Promise<Bundle> {
  const { rows } = await sql<Bundle>`
    select json_agg(json_build_array(l.id, l.discreet_mode)) as modes, string_agg(row_to_json(told)::text, E'\\n') as lines
    from (select * from public_locales where ${condition}) l
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
  return firstOf(rows)
}

/** A locale in API shape, with its distance if a point was requested. */
export const wholeLocale = ({ country, details }: DetailedLocale, km: number | null = null): FoundLocale => ({
  ...JSON.parse(details.bytes.toString('utf8', details.from, details.to)),
  country,
  distance_km: km,
})

/** The JSON of the same, in parts to be joined, without parsing the cached details. */
export const wholeLocaleJson = ({ country, details }: DetailedLocale, km: number | null): [string, Stretch] => [
  `{"country":${JSON.stringify(country)},"distance_km":${km},`,
  { ...details, from: details.from + 1 },
]
