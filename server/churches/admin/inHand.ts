import { historyOf } from '#server/audit/queries.ts'
import type { Db } from '#server/db/connection.ts'
import type {
  LocaleInHand,
  ManagedPhoto,
  ManagedSchedule,
  ManagedServant,
  PublicView,
  WholeInHand,
} from '#shared/churches/admin.ts'
import { noSuchLocale } from './writing.ts'

/** One locale as its form and its answers need it. */
export async function findInHand(db: Db, id: string): Promise<LocaleInHand> {
  const row = await db
    .selectFrom('locales as l')
    .leftJoin('country_discretion as d', 'd.country_code', 'l.country_code')
    .leftJoin('mfa_local_chapters as c', 'c.id', 'l.chapter_id')
    .leftJoin('user_profiles as p', 'p.id', 'l.confirmed_by')
    .selectAll('l')
    .select(['d.discreet_mode as country_mode', 'c.chapter_name', 'p.display_name'])
    .where('l.id', '=', id)
    .executeTakeFirst()
  if (!row) throw noSuchLocale()
  const { display_name, confirmation_asked_at: _, ...locale } = row
  return {
    ...locale,
    confirmed_by: display_name,
    confirmed_at: locale.confirmed_at?.toISOString() ?? null,
    created_at: locale.created_at.toISOString(),
    updated_at: locale.updated_at.toISOString(),
  }
}

/** The same with everything around it. */
export async function findWholeInHand(db: Db, id: string): Promise<WholeInHand> {
  return {
    locale: await findInHand(db, id),
    servants: await servantsOf(db, id),
    schedules: await schedulesOf(db, id),
    photos: await photosOf(db, id),
    shown: await shownOf(db, id),
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
  const { schedules, photos, servants, ...same } = row
  return { ...same, servants, services: schedules.length, photos: photos.length }
}
