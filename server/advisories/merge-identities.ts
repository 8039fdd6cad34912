import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { firstOf } from '#shared/assert.ts'
import type { AdvisoryRow } from './advisory-row.ts'
import { anyOf } from './expiry.ts'
import { nameInTitle } from './feeds/feed.ts'
import { countrySetId, isCountrySet, MERGED, regionOf } from './identity.ts'
import type { Source } from './sources.ts'

type Row = Pick<
  AdvisoryRow,
  | 'id'
  | 'external_id'
  | 'title'
  | 'country_codes'
  | 'unresolved_countries'
  | 'severity_level'
  | 'last_updated'
  | 'is_active'
  | 'missing_since'
>

/**
 * Moves a source's standing advice to the identity of its country set: rows from before that rule, and those whose
 * names were resolved since. Of several rows with one set, one stays with its history: in force before ended, then the
 * most severe, since the next import corrects a level that is too high but not one that is too low. The others end;
 * their pages stay, for links in messages that were sent.
 */
export async function mergeIdentities(
  db: Db,
  source: Source,
  listed: ReadonlySet<string>,
  { now, countries }: { now: Date; countries: Countries },
): Promise<void> {
  if (![...listed].some(isCountrySet)) return
  const known = await db
    .selectFrom('travel_advisories')
    .select(['id', 'external_id', 'country_codes', 'unresolved_countries', 'severity_level', 'last_updated'])
    .select(['title', 'is_active', 'missing_since'])
    .where('source_id', '=', source.id)
    .where('external_id', 'not like', `${MERGED}%`)
    .where('status', '=', 'actual')
    .execute()
  // Entries listed under an id of their source retain it.
  const rows = known.filter((row) => isCountrySet(row.external_id) || !listed.has(row.external_id))
  const groups = Map.groupBy(rows, (row) => identityOf(row, source, countries))
  const staying: { id: string; external_id: string }[] = []
  const ending: string[] = []
  for (const [external_id, group] of groups) {
    const survivor = firstOf(group.sort(bySurvival))
    if (survivor.external_id !== external_id) staying.push({ id: survivor.id, external_id })
    ending.push(...group.slice(1).map(({ id }) => id))
  }
  if (ending.length > 0)
    await db
      .updateTable('travel_advisories')
      .set({ external_id: sql<string>`${MERGED} || id`, is_active: false, updated_at: now })
      .where('id', '=', anyOf(ending))
      .execute()
  if (staying.length > 0)
    await sql`
      update travel_advisories a set external_id = s.external_id, updated_at = ${now}
      from unnest(${staying.map(({ id }) => id)}::uuid[], ${staying.map(({ external_id }) => external_id)}::text[])
        as s (id, external_id)
      where a.id = s.id`.execute(db)
}

function identityOf(row: Row, source: Source, countries: Countries): string {
  const found = row.unresolved_countries.map((name) => countries.resolveAll(name))
  const codes = [...row.country_codes, ...found.flatMap((name) => name.codes)]
  const unresolved = found.flatMap((name) => name.unresolved)
  return countrySetId(codes, unresolved, regionOfRow(row, source)) ?? row.external_id
}

/** Canada lists parts of countries under their own keys ("PT-20" and "IC", of Portugal and Spain). */
function regionOfRow({ external_id, title, country_codes }: Row, { reader }: Source): string | undefined {
  if (isCountrySet(external_id)) return regionOf(external_id)
  const isRegion = reader === 'ca' && country_codes.length > 0 && !country_codes.includes(external_id)
  return isRegion ? nameInTitle(title) : undefined
}

function bySurvival(a: Row, b: Row): number {
  return (
    Number(b.is_active) - Number(a.is_active) ||
    SEVERITY_RANK[b.severity_level] - SEVERITY_RANK[a.severity_level] ||
    Number(a.missing_since !== null) - Number(b.missing_since !== null) ||
    b.last_updated.getTime() - a.last_updated.getTime() ||
    (a.id < b.id ? -1 : 1)
  )
}
