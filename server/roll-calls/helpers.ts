import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'

/** A possible helper. Tiers: 1 coordinates the chapter, 2 is responsible for the place, 3 is an administrator. */
export interface Helper {
  id: string
  name: string
  tier: 1 | 2 | 3
  is_admin: boolean
}

/** The user who needs help, and their location. */
export interface InNeed {
  user_id: string
  country_code: string | null
  chapter_id: string | null
}

/**
 * Possible helpers in order: the coordinator of the chapter, those whose scope includes the chapter or the country, MFA
 * coordinators without restriction, administrators; among equals the one with the fewest open requests. Excludes anyone
 * who needs help. Must run as the portal.
 */
export async function helpersFor(db: Db, { user_id, country_code, chapter_id }: InNeed, now: Date): Promise<Helper[]> {
  const byChapter = sql`coalesce(${chapter_id}::uuid = any(h.scope_chapters), false)`
  const byCountry = sql`coalesce(${country_code}::text = any(h.scope_countries), false)`
  const everywhere = sql`(h.role = 'mfa_coordinator' and h.scope_everywhere)`
  const { rows } = await sql<Helper>`
    with able as (
      select h.id, h.display_name as name, h.role = 'admin' as is_admin,
        case when h.id = c.coordinator_id then 1 when h.role = 'admin' then 3 else 2 end as tier,
        case when ${byChapter} then 1 when ${byCountry} then 2 else 3 end as closeness,
        (select count(*) from roll_call_recipients b
          where b.helper_id = h.id and b.answer = 'need_help' and b.helped_at is null) as busy
      from user_profiles h
      left join mfa_local_chapters c on c.id = ${chapter_id}::uuid
      where h.profile_status = 'active' and h.auth_user_id is not null and h.id <> ${user_id}
        and (h.role_ends_at is null or h.role_ends_at > ${now})
        and h.role in ('admin', 'mfa_coordinator', 'local_servant')
        and not exists (select from roll_call_recipients n
          where n.user_id = h.id and n.answer = 'need_help' and n.helped_at is null)
        and (h.role = 'admin' or h.id = c.coordinator_id or ${byChapter} or ${byCountry} or ${everywhere}))
    select id, name, tier, is_admin from able order by tier, closeness, busy, id`.execute(db)
  return rows
}
