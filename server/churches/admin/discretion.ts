import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { present } from '#shared/assert.ts'
import type { DiscreetMode } from '#shared/churches/discretion.ts'
import type { CountryDiscretion } from '#shared/churches/managed-discretion.ts'
import { LANGUAGES } from '#shared/language.ts'
import { countryNames } from '../module.ts'
import { projectLocales } from '../projection.ts'
import { type Change, consequencesOf, type DiscretionTarget, targetOf } from './consequences.ts'
import { requestLoosening } from './discretion-requests.ts'
import { after, invalid, type Writing } from './write-context.ts'

export async function listDiscretion(db: Db): Promise<CountryDiscretion[]> {
  const rows = await db
    .selectFrom('country_discretion as d')
    .leftJoin('user_profiles as p', 'p.id', 'd.updated_by')
    .select(['d.country_code', 'd.discreet_mode', 'd.reason', 'd.needs_second', 'd.updated_at'])
    .select('p.display_name as updated_by')
    .orderBy('d.country_code')
    .execute()
  return rows.map((row) => ({ ...row, updated_at: row.updated_at.toISOString() }))
}

/** How many locales each country has, and how many of them have their own mode. */
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
    country_code: present(row.country_code, 'a country'),
    locales: Number(row.locales),
    own_mode: Number(row.own_mode),
  }))
}

interface DiscretionInput {
  country_code?: string | undefined
  locale_id?: string | undefined
  discreet_mode: DiscreetMode | null
  reason: string
  confirm: string
  needs_second?: boolean | undefined
}

/**
 * Changes how much is shown of the locales of a country, or of one locale. Showing less takes effect at once; showing
 * more needs a reason and a typed confirmation and, where the country requires it, waits for a second administrator.
 */
export async function changeDiscretion(db: Db, input: DiscretionInput, writing: Writing) {
  const target = await targetOf(db, input, writing.countries)
  const change = {
    discreet_mode: input.discreet_mode,
    needs_second: input.needs_second ?? target.rule?.needs_second ?? true,
  }
  const consequences = await consequencesOf(db, target, change)
  if (!consequences.is_loosening)
    return {
      locales: await applyDiscretion(db, target, { ...change, reason: input.reason }, writing),
      request_id: null,
    }
  refuseUnconfirmed(input, target, consequences.locales, writing)
  if (target.needsSecond)
    return {
      locales: 0,
      request_id: await requestLoosening(
        db,
        target,
        { ...change, reason: input.reason, locales: consequences.locales },
        writing,
      ),
    }
  await allowLoosening(db, 'confirmed')
  return { locales: await applyDiscretion(db, target, { ...change, reason: input.reason }, writing), request_id: null }
}

function refuseUnconfirmed(
  { reason, confirm }: DiscretionInput,
  target: DiscretionTarget,
  locales: number,
  { countries }: Writing,
) {
  const problems: Record<string, string> = {}
  if (reason === '') problems.reason = 'Give a reason. It is kept in the audit log.'
  const isCountry = target.country !== null && isNameOf(target.country, confirm, countries)
  if (confirm === '' || !(isCountry || confirm === String(locales) || confirm === target.locale?.name))
    problems.confirm = 'Type the name of the country, or the number of churches.'
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/** Includes names that two territories share, as shown on the page. */
function isNameOf(country: string, name: string, countries: Writing['countries']): boolean {
  if (countries.resolve(name) === country) return true
  return LANGUAGES.some((language) =>
    (['long', 'short'] as const).some(
      (style) => new Intl.DisplayNames(language, { type: 'region', style }).of(country) === name,
    ),
  )
}

/** Permits showing more for the rest of the transaction; 'confirmed', or the id of the request being applied. */
export async function allowLoosening(db: Db, by: string): Promise<void> {
  await sql`select set_config('portal.loosening', ${by}, true)`.execute(db)
}

/** Writes the change and updates the public rows. Returns how many locales are affected. */
export async function applyDiscretion(
  db: Db,
  { country: code, locale, rule }: DiscretionTarget,
  { reason, ...change }: Change & { reason: string },
  { by, now, countries }: Writing,
  more: object = {},
): Promise<number> {
  const { discreet_mode } = change
  if (locale) {
    await db
      .updateTable('locales')
      .set({ discreet_mode, updated_at: after(locale, now) })
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
