import { setImmediate as turn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type {
  LocaleSchedulesTable,
  LocaleServantsTable,
  LocalesTable,
  PublicLocalesTable,
} from '#server/db/tables-churches.ts'
import { present } from '#shared/assert.ts'
import type { DiscreetMode } from '#shared/churches/discretion.ts'
import type { PublicServant } from '#shared/churches/endpoints.ts'
import { DAYS, type ServiceSchedule } from '#shared/churches/schedule.ts'
import { fold } from '#shared/countries/fold.ts'
import { locate } from './locating.ts'
import { localesWithRules, MODE } from './modes.ts'

export type LocaleRow = Selectable<LocalesTable>
type PublicColumns = Selectable<PublicLocalesTable>
/** A public row as it is inserted: with every column, its lists as JSON. */
export type PublicLocaleRow = {
  [C in keyof PublicColumns]: C extends 'servants' | 'schedules' | 'photos' ? string : PublicColumns[C]
}

/** Everything a public row is made from. */
export interface WholeLocale {
  locale: LocaleRow
  /** The value of `MODE`. */
  mode: DiscreetMode
  country_name: string | null
  chapter_name: string | null
  servants: Selectable<LocaleServantsTable>[]
  schedules: Selectable<LocaleSchedulesTable>[]
  photos: { file_id: string; description: string }[]
}

/** Grid size in degrees for approximate locales: about 11 km north to south. */
const AREA_DEGREES = 0.1
const CHUNK = 250

/**
 * What the public may see of a locale, or null for nothing. The only place that decides it (issue: discreet mode):
 * every page, response, search, distance, feed and export is made from these rows alone.
 */
export function publicRow(whole: WholeLocale): PublicLocaleRow | null {
  const { locale, mode } = whole
  if (mode === 'hidden' || !locale.is_public || locale.locale_status !== 'active') return null
  const nothing = emptyRow(whole, mode)
  if (mode === 'contact_only') return nothing
  const area = {
    ...nothing,
    city: locale.city,
    state_province: locale.state_province,
    name: `Group in ${locale.city ?? locale.state_province ?? whole.country_name ?? 'an unnamed country'}`,
  }
  if (mode === 'approximate')
    return {
      ...area,
      latitude: toArea(locale.latitude),
      longitude: toArea(locale.longitude),
      search_text: searchText([area.city, area.state_province]),
    }
  return exactRow(area, whole)
}

function exactRow(area: PublicLocaleRow, whole: WholeLocale): PublicLocaleRow {
  const { locale } = whole
  return {
    ...area,
    name: locale.name,
    common_name: locale.common_name,
    local_name: locale.local_name,
    local_address: locale.local_address,
    address_line1: locale.address_line1,
    address_line2: locale.address_line2,
    postal_code: locale.postal_code,
    latitude: locale.latitude,
    longitude: locale.longitude,
    timezone: locale.timezone,
    phone: locale.phone,
    email: locale.email,
    website: locale.website,
    online_url: locale.online_url,
    has_physical_locale: locale.has_physical_locale,
    general_contact_available: locale.general_contact_available,
    closed_since: locale.closed_since,
    closed_until: locale.closed_until,
    closed_reason: locale.closed_reason,
    chapter_name: whole.chapter_name,
    servants: JSON.stringify(whole.servants.map(publicServant)),
    schedules: JSON.stringify(whole.schedules.map(publicSchedule)),
    photos: JSON.stringify(whole.photos),
    search_text: searchText([
      locale.name,
      locale.common_name,
      locale.local_name,
      locale.city,
      locale.state_province,
      locale.address_line1,
      locale.local_address,
    ]),
  }
}

/** A group in a country, without a place or a contact. */
function emptyRow({ locale, country_name }: WholeLocale, mode: PublicLocaleRow['discreet_mode']): PublicLocaleRow {
  return {
    id: locale.id,
    discreet_mode: mode,
    name: `Group in ${country_name ?? 'an unnamed country'}`,
    common_name: null,
    local_name: null,
    local_address: null,
    address_line1: null,
    address_line2: null,
    city: null,
    state_province: null,
    postal_code: null,
    country_code: locale.country_code,
    latitude: null,
    longitude: null,
    timezone: null,
    phone: null,
    email: null,
    website: null,
    online_url: null,
    languages: locale.languages,
    has_physical_locale: false,
    general_contact_available: false,
    closed_since: null,
    closed_until: null,
    closed_reason: null,
    chapter_name: null,
    confirmed_at: locale.confirmed_at,
    confirmed_as: locale.confirmed_as,
    servants: '[]',
    schedules: '[]',
    photos: '[]',
    search_text: '',
  }
}

/** The fields of LOC-API-18 and the names in local script, folded, separated by bars. */
const searchText = (fields: (string | null)[]) => fields.flatMap((field) => (field ? [fold(field)] : [])).join(' | ')

/** The nearest grid point. Rounded to its digits, so that the last ones reveal nothing of the location. */
function toArea(degrees: number | null): number | null {
  return degrees === null ? null : Number((Math.round(degrees / AREA_DEGREES) * AREA_DEGREES).toFixed(1))
}

function publicServant(servant: Selectable<LocaleServantsTable>): PublicServant {
  return {
    name: servant.is_name_public ? servant.name : null,
    role: servant.role,
    contact: servant.is_contact_public ? (servant.phone ?? servant.email) : null,
  }
}

/** A schedule in public form; times without seconds. */
export function publicSchedule(row: Selectable<LocaleSchedulesTable>): ServiceSchedule {
  const { locale_id: _, position: __, start_time, end_time, day_of_week, ...same } = row
  return {
    ...same,
    day_of_week,
    day: day_of_week === null ? null : present(DAYS[day_of_week], 'a day of the week'),
    time: start_time.slice(0, 5),
    end_time: end_time?.slice(0, 5) ?? null,
  }
}

/**
 * Rewrites the public rows of these locales (null: all) from the tables. Call it in the transaction of every change: a
 * trigger has removed the old rows. `countryName` gives the English name of a code.
 */
export async function projectLocales(
  db: Db,
  ids: readonly string[] | null,
  countryName: (code: string) => string | null,
): Promise<void> {
  const all = ids ?? (await db.selectFrom('locales').select('id').execute()).map(({ id }) => id)
  for (let at = 0; at < all.length; at += CHUNK) {
    // The embedded database responds without a turn of the event loop: yield to others here.
    if (at > 0) await turn()
    await projectChunk(db, all.slice(at, at + CHUNK), countryName)
  }
}

async function projectChunk(db: Db, ids: readonly string[], countryName: (code: string) => string | null) {
  await locate(db, 'locales', ids)
  const rows = await publicRowsOf(db, ids, countryName)
  await db.deleteFrom('public_locales').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  if (rows.length > 0) await db.insertInto('public_locales').values(rows).execute()
}

/** The public rows of these locales, computed from the tables; `located_in` must be current. */
export async function publicRowsOf(
  db: Db,
  ids: readonly string[],
  countryName: (code: string) => string | null,
): Promise<PublicLocaleRow[]> {
  const of = sql<string>`any(${ids}::uuid[])`
  const locales = await localesWithRules(db)
    .leftJoin('mfa_local_chapters as c', 'c.id', 'l.chapter_id')
    .selectAll('l')
    .select([MODE.as('mode'), 'c.chapter_name'])
    .where('l.id', '=', of)
    .execute()
  const servants = await db
    .selectFrom('locale_servants')
    .selectAll()
    .where('locale_id', '=', of)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const schedules = await db
    .selectFrom('locale_schedules')
    .selectAll()
    .where('locale_id', '=', of)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const photos = await db
    .selectFrom('locale_photos')
    .selectAll()
    .where('locale_id', '=', of)
    .orderBy('position')
    .orderBy('file_id')
    .execute()
  const servantsOf = Map.groupBy(servants, (row) => row.locale_id)
  const schedulesOf = Map.groupBy(schedules, (row) => row.locale_id)
  const photosOf = Map.groupBy(photos, (row) => row.locale_id)
  return locales
    .map(({ mode, chapter_name, ...locale }) =>
      publicRow({
        locale,
        mode,
        chapter_name,
        country_name: locale.country_code && countryName(locale.country_code),
        servants: servantsOf.get(locale.id) ?? [],
        schedules: schedulesOf.get(locale.id) ?? [],
        photos: (photosOf.get(locale.id) ?? []).map(({ file_id, description }) => ({ file_id, description })),
      }),
    )
    .filter((row) => row !== null)
}
