import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { searchText } from './advisoryRow.ts'

/**
 * Looks the names that did not resolve up again, after an administrator has said what one of them means. Returns how
 * many advisories have found a country.
 */
export async function resolveAgain(db: Db, countries: Countries): Promise<number> {
  const rows = await db
    .selectFrom('travel_advisories')
    .select(['id', 'title', 'description', 'country_codes', 'unresolved_countries'])
    .where(sql<boolean>`unresolved_countries <> '{}'`)
    .execute()
  let resolved = 0
  for (const row of rows) {
    const found = row.unresolved_countries.map((name) => countries.resolveAll(name))
    const unresolved_countries = found.flatMap((name) => name.unresolved)
    const country_codes = [...new Set([...row.country_codes, ...found.flatMap((name) => name.codes)])]
    if (country_codes.length === row.country_codes.length) continue
    resolved += 1
    await db
      .updateTable('travel_advisories')
      .set({
        country_codes,
        unresolved_countries,
        affected_countries: [...country_codes.map((code) => countries.nameOf(code)), ...unresolved_countries],
        search_text: searchText({ ...row, country_codes, unresolved_countries }, countries),
        updated_at: new Date(),
      })
      .where('id', '=', row.id)
      .execute()
  }
  return resolved
}
