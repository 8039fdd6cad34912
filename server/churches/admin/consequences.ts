import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import { firstOf, present } from '#shared/assert.ts'
import { type DiscreetMode, isLooser } from '#shared/churches/discretion.ts'
import { MODE, modeWith, PLACE, RULE_JOINS } from '../modes.ts'
import type { LocaleRow } from '../projection.ts'
import { lockLocale } from './write-context.ts'

export interface Change {
  /** Null removes the country's rule, or the locale's own mode. */
  discreet_mode: DiscreetMode | null
  /** For a country. */
  needs_second: boolean
}

interface Rule extends Change {
  discreet_mode: DiscreetMode
  reason: string
}

/** A country, or one of its locales, with the rule in force; locked for the rest of the transaction. */
export interface DiscretionTarget {
  country: string | null
  locale: LocaleRow | null
  rule: Rule | undefined
  /** A second administrator must approve before more is shown. */
  needsSecond: boolean
}

/** Locks the target of a change, so that it is unchanged when the change is written. */
export async function targetOf(
  db: Db,
  input: { country_code?: string | undefined; locale_id?: string | null | undefined },
  countries: Pick<Countries, 'find'>,
): Promise<DiscretionTarget> {
  const locale = input.locale_id ? await lockLocale(db, input.locale_id) : null
  const country = locale ? locale.country_code : (input.country_code ?? null)
  if (!locale && !(country && countries.find(country))) throw invalid({ country_code: 'Choose a country' })
  const rule = await db
    .selectFrom('country_discretion')
    .select(['discreet_mode', 'reason', 'needs_second'])
    .where('country_code', '=', country)
    .forUpdate()
    .executeTakeFirst()
  return { country, locale, rule, needsSecond: rule?.needs_second ?? false }
}

/** What a change would additionally publish. */
export async function consequencesOf(db: Db, { country, locale, rule, needsSecond }: DiscretionTarget, change: Change) {
  const ruled = rule?.discreet_mode ?? 'exact'
  const from = locale ? (locale.discreet_mode ?? ruled) : ruled
  const to = change.discreet_mode ?? (locale ? ruled : 'exact')
  const showsMore = isLooser(from, to)
  const loosened = showsMore
    ? await (locale
        ? countLoosened(db, locale.id, to)
        : countLoosenedIn(db, present(country, 'the country of the rule'), to))
    : NOBODY
  return {
    country_code: country,
    locale_name: locale?.name ?? null,
    is_loosening: showsMore || (!locale && rule !== undefined && needsSecond && !change.needs_second),
    ...loosened,
    needs_second: needsSecond,
  }
}

/** Churches of which more would become public, and how many of them would be public in full. */
interface LoosenedCount {
  locales: number
  whole: number
}
const NOBODY: LoosenedCount = { locales: 0, whole: 0 }

async function countLoosened(db: Db, id: string, to: DiscreetMode): Promise<LoosenedCount> {
  const { count } = await db
    .selectFrom('locales')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('is_public', '=', true)
    .where('locale_status', '=', 'active')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { locales: count, whole: to === 'exact' ? count : 0 }
}

/**
 * Includes locales that only lie in the country, and those whose location is unknown, unless another rule applies to
 * them.
 */
async function countLoosenedIn(db: Db, country: string, to: DiscreetMode): Promise<LoosenedCount> {
  const { rows } = await sql<LoosenedCount>`
    select count(*)::int as locales, (count(*) filter (where will_be = 'exact'))::int as whole
    from (
      select ${MODE} as is_now, ${modeWith('after_d', 'after_p')} as will_be
      from locales_concerned(${country}) c (id) join locales l on l.id = c.id
        ${RULE_JOINS}
        left join discretion_rules(${country}, ${to}) after_d on after_d.country_code = l.country_code
        left join discretion_rules(${country}, ${to}) after_p on after_p.country_code = ${PLACE}
      where l.is_public and l.locale_status = 'active') modes
    where discretion_level(will_be) < discretion_level(is_now)`.execute(db)
  return firstOf(rows)
}
