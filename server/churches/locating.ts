import { sql } from 'kysely'
import { countryAt } from '#server/countries/borders.ts'
import type { Db } from '#server/db/connection.ts'

/**
 * Updates the country in which the points of these rows lie, where it differs. Everything that decides how much of a
 * church is public depends on it.
 */
export async function locate(db: Db, table: 'locales' | 'mfa_local_chapters', ids: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom(table)
    .select(['id', 'latitude', 'longitude', 'located_in'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const wrong = rows.flatMap(({ id, latitude, longitude, located_in }) => {
    const is = latitude === null || longitude === null ? null : countryAt(latitude, longitude)
    return is === located_in ? [] : [{ id, is }]
  })
  if (wrong.length === 0) return
  await sql`update ${sql.table(table)} t set located_in = n.located_in
    from unnest(${wrong.map(({ id }) => id)}::uuid[], ${wrong.map(({ is }) => is)}::text[]) n (id, located_in)
    where t.id = n.id`.execute(db)
}
