import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { DiscreetMode } from '#shared/churches/discretion.ts'

/** Country of a locale: of its point, else the one it names; '*' if unknown. */
export const PLACE = sql<string>`coalesce(l.located_in, l.country_code, '*')`
const RULES = sql<{ country_code: string; discreet_mode: DiscreetMode }>`discretion_rules()`

/** The mode of a locale `l` with the rules of these joins: of the country it names, and of the one it lies in. */
export const modeWith = (named: string, place: string) =>
  sql<DiscreetMode>`effective_discreet_mode(l.discreet_mode, l.country_code, ${sql.ref(`${named}.discreet_mode`)},
    ${PLACE}, ${sql.ref(`${place}.discreet_mode`)})`

/** The effective mode of a locale `l` of `localesWithRules`, or of a query that joins `RULE_JOINS`. */
export const MODE = modeWith('d', 'p')

/** The rules that apply to each locale `l`: `d` of the country it names, `p` of the one it lies in. */
export const RULE_JOINS = sql`left join discretion_rules() d on d.country_code = l.country_code
  left join discretion_rules() p on p.country_code = ${PLACE}`

/** The locales, as `l`, with the rules that apply to each. */
export const localesWithRules = (db: Db) =>
  db
    .selectFrom('locales as l')
    .leftJoin(RULES.as('d'), 'd.country_code', 'l.country_code')
    .leftJoin(RULES.as('p'), (join) => join.on('p.country_code', '=', PLACE))
