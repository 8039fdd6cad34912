import { historyOf } from '#server/audit/queries.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { DISCREET_MODES, type DiscreetMode } from '#shared/churches/discretion.ts'
import type { AdminLocale, AdminLocaleDetail, PublicView } from '#shared/churches/managed-locale.ts'
import type { ManagedPhoto } from '#shared/churches/managed-photos.ts'
import type { ManagedSchedule } from '#shared/churches/managed-schedules.ts'
import type { ManagedServant } from '#shared/churches/managed-servants.ts'
import { countryNames } from '../deps.ts'
import { localesWithRules, MODE } from '../modes.ts'
import { type PublicLocaleRow, publicRow } from '../projection.ts'
import { noSuchLocale } from './write-context.ts'

/** One locale with the fields of the admin form and responses. */
export async function findAdminLocale(db: Db, id: string): Promise<AdminLocale> {
  const row = await localesWithRules(db)
    .leftJoin('mfa_local_chapters as c', 'c.id', 'l.chapter_id')
    .leftJoin('user_profiles as u', 'u.id', 'l.confirmed_by')
    .selectAll('l')
    .select(['d.discreet_mode as country_mode', MODE.as('mode'), 'c.chapter_name', 'u.display_name'])
    .where('l.id', '=', id)
    .executeTakeFirst()
  if (!row) throw noSuchLocale()
  const { display_name, confirmation_requested_at: _, ...locale } = row
  return {
    ...locale,
    confirmed_by: display_name,
    confirmed_at: locale.confirmed_at?.toISOString() ?? null,
    created_at: locale.created_at.toISOString(),
    updated_at: locale.updated_at.toISOString(),
  }
}

/** The locale with its lists and all related fields. */
export async function findAdminLocaleDetail(db: Db, id: string, countries: Countries): Promise<AdminLocaleDetail> {
  return {
    locale: await findAdminLocale(db, id),
    servants: await servantsOf(db, id),
    schedules: await schedulesOf(db, id),
    photos: await photosOf(db, id),
    shown: await shownOf(db, id),
    previews: await previewsOf(db, id, countryNames(countries)),
    history: await historyOf(db, 'locale', id),
  }
}

export async function servantsOf(db: Db, locale: string): Promise<ManagedServant[]> {
  const rows = await db
    .selectFrom('locale_servants as s')
    .leftJoin('user_profiles as p', 'p.id', 's.user_id')
    .selectAll('s')
    .select('p.display_name as user_name')
    .where('s.locale_id', '=', locale)
    .orderBy('s.position')
    .orderBy('s.id')
    .execute()
  return rows.map(({ locale_id: _, agreed_at, ...row }) => ({ ...row, agreed_at: agreed_at?.toISOString() ?? null }))
}

export async function schedulesOf(db: Db, locale: string): Promise<ManagedSchedule[]> {
  const rows = await db
    .selectFrom('locale_schedules')
    .selectAll()
    .where('locale_id', '=', locale)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ locale_id: _, ...row }) => ({
    ...row,
    start_time: row.start_time.slice(0, 5),
    end_time: row.end_time?.slice(0, 5) ?? null,
  }))
}

export async function photosOf(db: Db, locale: string): Promise<ManagedPhoto[]> {
  const rows = await db
    .selectFrom('locale_photos')
    .select(['file_id', 'description', 'position'])
    .where('locale_id', '=', locale)
    .orderBy('position')
    .orderBy('file_id')
    .execute()
  return rows.map((row) => ({ ...row, url: `/api/files/${row.file_id}` }))
}

async function shownOf(db: Db, id: string): Promise<PublicView | null> {
  const row = await db.selectFrom('public_locales').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const { schedules, photos, servants, id: _, search_text: __, ...same } = row
  return { ...same, servants, services: schedules.length, photos: photos.length }
}

/** The public view in each mode, computed with the rule that makes the public row. */
async function previewsOf(db: Db, id: string, countryName: (code: string) => string | null) {
  const whole = await wholeLocale(db, id)
  const { locale } = whole
  const country_name = locale.country_code && countryName(locale.country_code)
  const inMode = (mode: DiscreetMode) => {
    const row = publicRow({ ...whole, country_name, mode })
    return row && viewOf(row)
  }
  return Object.fromEntries(DISCREET_MODES.map((mode) => [mode, inMode(mode)])) as AdminLocaleDetail['previews']
}

async function wholeLocale(db: Db, id: string) {
  const { chapter_name, ...locale } = await db
    .selectFrom('locales as l')
    .leftJoin('mfa_local_chapters as c', 'c.id', 'l.chapter_id')
    .selectAll('l')
    .select('c.chapter_name')
    .where('l.id', '=', id)
    .executeTakeFirstOrThrow()
  const servants = await db
    .selectFrom('locale_servants')
    .selectAll()
    .where('locale_id', '=', id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const schedules = await db.selectFrom('locale_schedules').selectAll().where('locale_id', '=', id).execute()
  return { locale, chapter_name, servants, schedules, photos: await photosOf(db, id) }
}

function viewOf({ servants, schedules, photos, ...row }: PublicLocaleRow): PublicView {
  const { id: _, search_text: __, ...same } = row
  const count = (list: string) => (JSON.parse(list) as unknown[]).length
  return { ...same, servants: JSON.parse(servants), services: count(schedules), photos: count(photos) }
}
