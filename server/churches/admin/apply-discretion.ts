import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { laterThan } from '#server/db/records.ts'
import { present } from '#shared/assert.ts'
import { countryNames } from '../deps.ts'
import { projectLocales } from '../projection.ts'
import type { Change, DiscretionTarget } from './consequences.ts'
import type { WriteContext } from './write-context.ts'

/** Permits showing more for the rest of the transaction; 'confirmed', or the id of the request being applied. */
export async function allowLoosening(db: Db, by: string): Promise<void> {
  await sql`select set_config('portal.loosening', ${by}, true)`.execute(db)
}

/** Writes the change and updates the public rows. Returns how many locales are affected. */
export async function applyDiscretion(
  db: Db,
  { country: code, locale, rule }: DiscretionTarget,
  { reason, ...change }: Change & { reason: string },
  { by, now, countries }: WriteContext,
  more: object = {},
): Promise<number> {
  const { discreet_mode } = change
  if (locale) {
    await db
      .updateTable('locales')
      .set({ discreet_mode, updated_at: laterThan(locale, now) })
      .where('id', '=', locale.id)
      .execute()
    await projectLocales(db, [locale.id], countryNames(countries))
    await audit(db, by, {
      action: 'locale.discretion',
      subject_type: 'locale',
      subject_id: locale.id,
      before: { discreet_mode: locale.discreet_mode },
      after: { discreet_mode, ...more },
      reason: reason || null,
    })
    return 1
  }
  const country = present(code, 'the country of the rule')
  const is = discreet_mode === null ? undefined : { discreet_mode, reason, needs_second: change.needs_second }
  if (is) {
    const row = { ...is, updated_at: now, updated_by: by.id }
    await db
      .insertInto('country_discretion')
      .values({ country_code: country, ...row })
      .onConflict((conflict) => conflict.column('country_code').doUpdateSet(row))
      .execute()
  } else await db.deleteFrom('country_discretion').where('country_code', '=', country).execute()
  const { rows: concerned } = await sql<{ id: string; has_own_mode: boolean }>`
    select l.id, l.discreet_mode is not null and l.country_code = ${country} as has_own_mode
    from locales_concerned(${country}) c (id) join locales l on l.id = c.id`.execute(db)
  await projectLocales(
    db,
    concerned.map(({ id }) => id),
    countryNames(countries),
  )
  if (JSON.stringify(rule) !== JSON.stringify(is))
    await audit(db, by, {
      action: 'country.discretion',
      subject_type: 'country',
      subject_id: country,
      before: rule ?? null,
      after: { ...(is ?? { discreet_mode: null }), ...more },
      reason: reason || null,
    })
  return concerned.filter(({ has_own_mode }) => !has_own_mode).length
}
