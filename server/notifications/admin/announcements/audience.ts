import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { Audience, Within } from '#server/db/tables-notifications.ts'
import { firstOf } from '#shared/assert.ts'
import type { AnnouncementBody } from '#shared/notifications/announcements.ts'
import { beyond, withinOf } from './scope.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface Meant {
  audience: Audience
  problems: Record<string, string>
}

/**
 * The audience as stored, within the permitted scope, with users as ids. Lines that match no account are reported by
 * line number.
 */
export async function audienceOf(
  db: Db,
  { roles, countries, chapters, people }: AnnouncementBody['audience'],
  knows: (code: string) => boolean,
  within: Within | null,
): Promise<Meant> {
  const problems = beyond(await withinOf(db), { roles, countries })
  const users = await userIdsOf(db, people)
  users.forEach((id, at) => {
    if (!id) problems[`audience.people.${at}`] = 'No account has this email address'
  })
  if (countries.some((code) => !knows(code))) problems['audience.countries'] = 'Choose a country'
  if (chapters.length > 0) {
    const { rows } = await sql<{ known: number }>`
      select count(*)::int as known from audience_chapters() where id = any(${chapters}::uuid[])`.execute(db)
    if (firstOf(rows).known < new Set(chapters).size) problems['audience.chapters'] = 'Choose from the list'
  }
  const named = [...new Set(users.filter((id) => id !== undefined))].sort()
  return {
    audience: {
      ...(roles.length > 0 ? { roles } : {}),
      ...(countries.length > 0 ? { countries } : {}),
      ...(chapters.length > 0 ? { chapters } : {}),
      ...(people.length > 0 ? { users: named } : {}),
      ...(within ? { within } : {}),
    },
    problems,
  }
}

/** The account of each line, by email address, hub id or account id. */
async function userIdsOf(db: Db, lines: string[]): Promise<(string | undefined)[]> {
  if (lines.length === 0) return []
  // 'Ana Cruz <ana@example.org>' is how mail programs write an address.
  const named = lines.map((line) => (/<([^<>\s]+@[^<>\s]+)>\s*$/.exec(line)?.[1] ?? line).trim())
  const found = db.selectFrom('user_profiles').where('profile_status', 'in', ['active', 'pending'])
  const small = named.map((name) => name.toLowerCase())
  const ids = named.filter((name) => UUID.test(name))
  const byEmail = await found
    .select(['id', sql<string>`lower(email)`.as('name')])
    .where(sql<boolean>`lower(email) = any(${small}::text[])`)
    .execute()
  const byHub = await found
    .select(['id', 'mcgi_hub_id as name'])
    .where(sql<boolean>`mcgi_hub_id = any(${named}::text[])`)
    .execute()
  const byId = await found.select(['id', 'id as name']).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  const known = new Map([...byHub, ...byEmail, ...byId].map(({ id, name }) => [name?.toLowerCase(), id]))
  return small.map((name) => known.get(name))
}
