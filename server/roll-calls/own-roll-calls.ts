import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { OwnRollCall } from '#shared/roll-calls/endpoints.ts'
import { ANSWER_LINK_DAYS } from './answer-link.ts'
import { notARecipient } from './answers.ts'

/** A user's view of roll calls addressed to them. Runs as the portal, which may show helper and chapter names. */
const ownRollCalls = (db: Db, user: string) =>
  db
    .selectFrom('roll_call_recipients as p')
    .innerJoin('roll_calls as r', 'r.id', 'p.roll_call_id')
    .innerJoin('user_profiles as u', 'u.id', 'p.user_id')
    .leftJoin('user_profiles as h', 'h.id', 'p.helper_id')
    .leftJoin('mfa_local_chapters as c', (join) =>
      join.onRef('c.id', '=', 'p.chapter_id').on('c.chapter_status', '=', 'active'),
    )
    .select(['r.id', 'r.title', 'r.message', 'r.started_at', 'r.ended_at', 'p.answer', 'p.answered_at', 'p.note'])
    .select(['p.assigned_at', 'p.accepted_at', 'p.helped_at', 'h.display_name as helper_name'])
    .select(sql<string>`coalesce(p.phone, u.phone_number, '')`.as('phone'))
    .select(['c.chapter_name', 'c.contact_person', 'c.contact_phone'])
    .select(
      sql<string | null>`case when cardinality(r.country_codes) = 1 then r.country_codes[1]
        when p.country_code = any(r.country_codes) then p.country_code end`.as('country_code'),
    )
    .where('p.user_id', '=', user)
    .where('u.profile_status', 'in', ['active', 'pending'])

type Row = Awaited<ReturnType<ReturnType<typeof ownRollCalls>['executeTakeFirstOrThrow']>>

export async function findOwn(db: Db, user: string, id: string): Promise<OwnRollCall> {
  const row = await ownRollCalls(db, user).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notARecipient()
  return ownOf(row)
}

const MAX_OPEN = 5

/** Open ones, latest first. One that was never closed is listed until its links expire. */
export async function listOwn(db: Db, user: string, now: Date): Promise<OwnRollCall[]> {
  const since = new Date(now.valueOf() - ANSWER_LINK_DAYS * 86_400_000)
  const rows = await ownRollCalls(db, user)
    .where('r.ended_at', 'is', null)
    .where('r.started_at', '>', since)
    .orderBy('r.started_at', 'desc')
    .limit(MAX_OPEN)
    .execute()
  return rows.map(ownOf)
}

function ownOf({ helper_name, assigned_at, chapter_name, contact_person, contact_phone, ended_at, ...row }: Row) {
  const { accepted_at } = row
  return {
    id: row.id,
    title: row.title,
    message: row.message,
    country_code: row.country_code,
    started_at: row.started_at.toISOString(),
    is_open: ended_at === null,
    answer: row.answer,
    answered_at: row.answered_at?.toISOString() ?? null,
    note: row.note ?? '',
    phone: row.phone,
    helper:
      helper_name && assigned_at
        ? { name: helper_name, since: assigned_at.toISOString(), taken_at: accepted_at?.toISOString() ?? null }
        : null,
    helped_at: row.helped_at?.toISOString() ?? null,
    chapter: chapter_name ? { name: chapter_name, contact: contact_person, phone: contact_phone } : null,
  }
}
