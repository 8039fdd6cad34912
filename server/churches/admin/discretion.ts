import type { Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import { present } from '#shared/assert.ts'
import type { DiscreetMode } from '#shared/churches/discretion.ts'
import type { CountryDiscretion } from '#shared/churches/managed-discretion.ts'
import { LANGUAGES } from '#shared/language.ts'
import { allowLoosening, applyDiscretion } from './apply-discretion.ts'
import { consequencesOf, type DiscretionTarget, targetOf } from './consequences.ts'
import { requestLoosening } from './discretion-requests.ts'
import type { WriteContext } from './write-context.ts'

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
export async function changeDiscretion(db: Db, input: DiscretionInput, writing: WriteContext) {
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
  { countries }: WriteContext,
) {
  const problems: Record<string, string> = {}
  if (reason === '') problems.reason = 'Enter a reason'
  const isCountry = target.country !== null && isNameOf(target.country, confirm, countries)
  if (confirm === '' || !(isCountry || confirm === String(locales) || confirm === target.locale?.name))
    problems.confirm = 'Type the name of the country or the number of churches'
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/** Includes names that two territories share, as shown on the page. */
function isNameOf(country: string, name: string, countries: WriteContext['countries']): boolean {
  if (countries.resolve(name) === country) return true
  return LANGUAGES.some((language) =>
    (['long', 'short'] as const).some(
      (style) => new Intl.DisplayNames(language, { type: 'region', style }).of(country) === name,
    ),
  )
}
