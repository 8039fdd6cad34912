import { sql } from 'kysely'
import { type Claims, withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { ScopeCounts } from '#shared/accounts/users.ts'
import { isScoped, type Role } from '#shared/roles.ts'

export interface ScopedRole {
  role: Role
  scope_countries: string[] | null
  scope_chapters: string[] | null
  scope_everywhere: boolean
  role_ends_at?: Date | null
}

/**
 * Counts what the user is responsible for by their role: read under their claims, so that the table policies decide.
 */
export async function countWork(database: Database, userId: string, role: ScopedRole, now: Date): Promise<ScopeCounts> {
  return countsOf(await reachOf(database, userId, role, now))
}

/** What another role adds to a user's responsibilities, and what it removes. */
export async function compareRoles(database: Database, userId: string, from: ScopedRole, to: ScopedRole, now: Date) {
  const before = await reachOf(database, userId, from, now)
  const after = await reachOf(database, userId, to, now)
  return { adds: countsOf(without(after, before)), removes: countsOf(without(before, after)) }
}

type Reach = Record<keyof ScopeCounts, Set<string>>

function reachOf(database: Database, userId: string, role: ScopedRole, now: Date): Promise<Reach> {
  const claims: Claims = {
    as: 'user',
    userId,
    role: role.role,
    ...(isScoped(role.role) && !role.scope_everywhere
      ? { scope: { countries: role.scope_countries, chapters: role.scope_chapters } }
      : {}),
  }
  const hasEnded = role.role_ends_at && role.role_ends_at <= now
  if (hasEnded || !(isScoped(role.role) || role.role === 'admin'))
    return Promise.resolve({ members: new Set(), cases: new Set(), chapters: new Set(), churches: new Set() })
  return withClaims(database, claims, async (db) => ({
    members: await ids(
      db,
      sql`select id from user_profiles where role in ('traveler', 'member') and profile_status <> 'deleted' and id <> ${userId}`,
    ),
    cases: await ids(
      db,
      sql`select id from assistant_cases where status <> 'closed' and portal_takes_cases(country_code, chapter_id)`,
    ),
    chapters: await ids(db, sql`select id from mfa_local_chapters`),
    churches: await ids(db, sql`select id from locales`),
  }))
}

async function ids(db: Db, query: ReturnType<typeof sql>): Promise<Set<string>> {
  const { rows } = await query.execute(db)
  return new Set((rows as { id: string }[]).map(({ id }) => id))
}

const without = (these: Reach, those: Reach): Reach => ({
  members: difference(these.members, those.members),
  cases: difference(these.cases, those.cases),
  chapters: difference(these.chapters, those.chapters),
  churches: difference(these.churches, those.churches),
})

const difference = (these: Set<string>, those: Set<string>) => new Set([...these].filter((id) => !those.has(id)))

const countsOf = ({ members, cases, chapters, churches }: Reach): ScopeCounts => ({
  members: members.size,
  cases: cases.size,
  chapters: chapters.size,
  churches: churches.size,
})
