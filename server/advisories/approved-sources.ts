import type { Db } from '#server/db/connection.ts'
import { defaultOf } from '#server/settings/settings.ts'

const KEY = 'advisories.approved_sources'

/** The organisations whose advisories are shown, from the table: a memory may be a moment behind. */
export async function approvedSources(db: Db): Promise<readonly string[]> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  return Array.isArray(row?.value) ? (row.value as string[]) : defaultOf(KEY)
}
