import { sql } from 'kysely'
import { FOUND_PEOPLE } from '#shared/overview/endpoints.ts'
import type { Db } from '../db/connection.ts'

/** Accounts still to be verified, as far as the caller may see them; never the own. */
export async function countNewAccounts(db: Db, me: string): Promise<number> {
  const { count } = await db
    .selectFrom('user_profiles')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('profile_status', '=', 'pending')
    .where('id', '<>', me)
    .executeTakeFirstOrThrow()
  return count
}

export async function countFailedMessages(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow()
  return count
}

export async function findPreferences(db: Db, me: string) {
  const row = await db.selectFrom('user_profiles').select('preferences').where('id', '=', me).executeTakeFirst()
  return row?.preferences ?? {}
}

/** People by a part of name, email or hub id, those whose name begins so first. */
export function findPeople(db: Db, search: string) {
  const text = search.toLowerCase()
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return db
    .selectFrom('user_profiles')
    .select(['id', 'display_name as name', 'email', 'role'])
    .where('search_text', 'like', part)
    .where('profile_status', '<>', 'deleted')
    .orderBy(sql`starts_with(lower(display_name), ${text})`, 'desc')
    .orderBy('display_name')
    .orderBy('id')
    .limit(FOUND_PEOPLE)
    .execute()
}
