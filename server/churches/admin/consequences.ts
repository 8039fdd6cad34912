import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { type DiscreetMode, isLooser } from '#shared/churches/discretion.ts'
import type { LocaleRow } from '../projecting.ts'
import { holdLocale, invalid } from './writing.ts'

export interface Change {
  /** Null: no rule, or no mode of its own, any more. */
  discreet_mode: DiscreetMode | null
  /** Of a country. */
  needs_second: boolean
}

interface Rule extends Change {
  discreet_mode: DiscreetMode
  reason: string
}

/** A country, or one locale of it, with the rule that holds there; locked for the rest of the transaction. */
export interface DiscretionTarget {
  country: string | null
  locale: LocaleRow | null
  rule: Rule | undefined
  /** A second administrator approves before more is told. */
  needsSecond: boolean
}

/** The target of a change, locked, so that it is still so when the change is written. */
export async function targetOf(
  db: Db,
  given: { country_code?: string | undefined; locale_id?: string | null | undefined },
  countries: Pick<Countries, 'find'>,
): Promise<DiscretionTarget> {
  const locale = given.locale_id ? await holdLocale(db, given.locale_id) : null
  const country = locale ? locale.country_code : (given.country_code ?? null)
  if (!locale && !(country && countries.find(country))) throw invalid({ country_code: 'Choose a country' })
  const rule = await db
    .selectFrom('country_discretion')
    .select(['discreet_mode', 'reason', 'needs_second'])
    .where('country_code', '=', country)
    .forUpdate()
    .executeTakeFirst()
  return { country, locale, rule, needsSecond: rule?.needs_second ?? false }
}

/** What a change would tell more of. */
export async function consequencesOf(db: Db, { country, locale, rule, needsSecond }: DiscretionTarget, change: Change) {
  const ruled = rule?.discreet_mode ?? 'exact'
  const from = locale ? (locale.discreet_mode ?? ruled) : ruled
  const to = change.discreet_mode ?? (locale ? ruled : 'exact')
  const tellsMore = isLooser(from, to)
  const locales = tellsMore ? await countTold(db, locale ? { id: locale.id } : { country: country! }) : 0
  return {
    country_code: country,
    locale_name: locale?.name ?? null,
    is_loosening: tellsMore || (!locale && rule !== undefined && needsSecond && !change.needs_second),
    locales,
    whole: to === 'exact' ? locales : 0,
    needs_second: needsSecond,
  }
}

/** Those the public would hear more of: published, and of a country those without a mode of their own. */
async function countTold(db: Db, where: { id: string } | { country: string }): Promise<number> {
  const { count } = await db
    .selectFrom('locales')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('is_public', '=', true)
    .where('locale_status', '=', 'active')
    .$if('id' in where, (q) => q.where('id', '=', (where as { id: string }).id))
    .$if('country' in where, (q) =>
      q.where('country_code', '=', (where as { country: string }).country).where('discreet_mode', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return count
}
