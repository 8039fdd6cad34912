import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { type AdvisoryChange, announceChanges } from '#server/notifications/advisory-changes/announce.ts'
import { fold } from '#shared/countries/fold.ts'
import { searchText } from './advisory-row.ts'

/**
 * Resolves unresolved names again after an administrator has assigned one, and announces the advisories that
 * subscribers of the country could not be notified of before. Returns how many advisories gained a country.
 */
export async function resolveAgain(db: Db, countries: Countries): Promise<number> {
  const rows = await db
    .selectFrom('travel_advisories')
    .selectAll()
    .where(sql<boolean>`unresolved_countries <> '{}'`)
    .execute()
  const changes: AdvisoryChange[] = []
  const now = new Date()
  for (const row of rows) {
    const found = row.unresolved_countries.map((name) => countries.resolveAll(name))
    const unresolved_countries = found.flatMap((name) => name.unresolved)
    const country_codes = [...new Set([...row.country_codes, ...found.flatMap((name) => name.codes)])]
    if (country_codes.length === row.country_codes.length) continue
    const after = await db
      .updateTable('travel_advisories')
      .set({
        country_codes,
        unresolved_countries,
        affected_countries: [...country_codes.map((code) => countries.nameOf(code)), ...unresolved_countries],
        search_text: searchText({ ...row, country_codes, unresolved_countries }, countries),
        updated_at: now,
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    changes.push({ id: row.id, before: row, after })
  }
  // Snapshots never trigger notifications.
  const ofToday = changes.filter(({ after }) => after.captured_on === null)
  await announceChanges(db, ofToday, { now, countries })
  return changes.length
}

const SUGGESTIONS = 3
const LEAST_LETTERS = 4

/** Candidate countries for a name: exact and shared matches first, then those with a word that begins alike. */
export function suggestionsFor(name: string, countries: Countries): { code: string; name: string }[] {
  const whole = countries.search(name, SUGGESTIONS).map(({ country }) => country)
  const tokens = tokenize(name)
  const alike = countries
    .all()
    .map((country) => {
      const names = [country.name, country.names.ar, ...country.localNames, ...country.aliases].flatMap(tokenize)
      return { country, letters: Math.max(0, ...names.flatMap((a) => tokens.map((b) => lettersInCommon(a, b)))) }
    })
    .filter(({ letters }) => letters >= LEAST_LETTERS)
    .sort((a, b) => b.letters - a.letters)
    .map(({ country }) => country)
  const codes = new Set([...whole, ...alike].map(({ code }) => code))
  return [...codes].slice(0, SUGGESTIONS).map((code) => ({ code, name: countries.nameOf(code) }))
}

const tokenize = (name: string) => fold(name).split(/[^\p{L}\p{M}]+/u)

function lettersInCommon(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}
