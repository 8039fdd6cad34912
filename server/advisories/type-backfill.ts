import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { typeColumns } from './advisory-type.ts'

const AT_ONCE = 500

/** Sets the types of advisories stored before types were read from texts. Idempotent; runs at start. */
export async function typeUntyped(db: Db): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await db
      .selectFrom('travel_advisories as a')
      .innerJoin('advisory_sources as s', 's.id', 'a.source_id')
      .select(['a.id', 'a.title', 'a.description', 'a.detailed_information', 'a.original_wording', 'a.advisory_type'])
      .where('a.advisory_types', 'is', null)
      // Administrators choose the type of manual advisories.
      .where('s.reader', '!=', 'manual')
      .limit(AT_ONCE)
      .execute()
    if (rows.length === 0) return count
    const columns = JSON.stringify(rows.map((row) => ({ id: row.id, ...typeColumns(row) })))
    await sql`
      update travel_advisories a set advisory_type = t.advisory_type, advisory_types = t.advisory_types
      from jsonb_to_recordset(${columns}::jsonb) as t (id uuid, advisory_type text, advisory_types text[])
      where a.id = t.id`.execute(db)
    count += rows.length
  }
}
