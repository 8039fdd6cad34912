import type { Db } from '#server/db/connection.ts'
import { defaultOf } from '#server/settings/settings.ts'

const KEY = 'advisories.approved_sources'

/** The organisations whose advisories are shown, from the table: a cache may be slightly out of date. */
export async function approvedSources(db: Db): Promise<readonly string[]> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  return Array.isArray(row?.value) ? (row.value as string[]) : defaultOf(KEY)
}
