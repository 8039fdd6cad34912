import { audit } from '#server/audit/writing.ts'
import type { Db } from '#server/db/connection.ts'
import type { DiscreetMode } from '#shared/churches/discretion.ts'
import type { CountryDiscretion } from '#shared/churches/managed-discretion.ts'
import { countryNames } from '../area.ts'
import { projectLocales } from '../projecting.ts'
import { invalid, type Writing } from './writing.ts'

export async function listDiscretion(db: Db): Promise<CountryDiscretion[]> {
  const rows = await db
    .selectFrom('country_discretion as d')
    .leftJoin('user_profiles as p', 'p.id', 'd.updated_by')
    .select(['d.country_code', 'd.discreet_mode', 'd.reason', 'd.updated_at', 'p.display_name as updated_by'])
    .orderBy('d.country_code')
    .execute()
  return rows.map((row) => ({ ...row, updated_at: row.updated_at.toISOString() }))
}

/** How many locales each country has, and how many of them have a mode of their own. */
export async function countByCountry(db: Db) {
  const rows = await db
    .selectFrom('locales')
    .select(({ fn }) => [
      'country_code',
      fn.countAll<number>().as('locales'),
      fn.countAll<number>().filterWhere('discreet_mode', 'is not', null).as('own_mode'),
    ])
    .where('country_code', 'is not', null)
    .groupBy('country_code')
    .orderBy('country_code')
    .execute()
  return rows.map((row) => ({
    country_code: row.country_code!,
    locales: Number(row.locales),
    own_mode: Number(row.own_mode),
  }))
}

/** What the locales of a country tell from now on; null takes it back. Returns how many follow it. */
export async function setCountryDiscretion(
  db: Db,
  { country_code, discreet_mode, reason }: { country_code: string; discreet_mode: DiscreetMode | null; reason: string },
  { by, now, countries }: Writing,
): Promise<number> {
  if (!countries.find(country_code)) throw invalid({ country_code: 'Choose a country' })
  const was = await db
    .selectFrom('country_discretion')
    .select(['discreet_mode', 'reason'])
    .where('country_code', '=', country_code)
    .forUpdate()
    .executeTakeFirst()
  const is = discreet_mode === null ? undefined : { discreet_mode, reason }
  if (is) {
    const row = { ...is, updated_at: now, updated_by: by.id }
    await db
      .insertInto('country_discretion')
      .values({ country_code, ...row })
      .onConflict((conflict) => conflict.column('country_code').doUpdateSet(row))
      .execute()
  } else await db.deleteFrom('country_discretion').where('country_code', '=', country_code).execute()
  const concerned = await db
    .selectFrom('locales')
    .select(['id', 'discreet_mode'])
    .where('country_code', '=', country_code)
    .execute()
  await projectLocales(
    db,
    concerned.map(({ id }) => id),
    countryNames(countries),
  )
  if (JSON.stringify(was) !== JSON.stringify(is))
    await audit(db, by, {
      action: 'country.discretion',
      subject_type: 'country',
      subject_id: country_code,
      before: was ?? null,
      after: is ?? { discreet_mode: null },
      reason,
    })
  return concerned.filter((row) => row.discreet_mode === null).length
}
