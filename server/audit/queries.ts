import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { containing } from '#server/db/like.ts'
import type { AuditEntry, AuditFilters } from '#shared/audit/endpoints.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The latest first; one extra row tells whether there are older ones. */
export async function listAuditEntries(db: Db, filters: AuditFilters, limit: number): Promise<AuditEntry[]> {
  let query = withActors(db)
  const { search, action, subject, since, until, before_id } = filters
  if (search && UUID.test(search))
    query = query.where(({ or, eb }) => or([eb('a.subject_id', '=', search), eb('a.actor_id', '=', search)]))
  else if (search) query = query.where('p.search_text', 'like', containing(search))
  if (action)
    query = query.where(({ or, eb }) => or([eb('a.action', '=', action), eb('a.action', 'like', prefixed(action))]))
  if (subject) {
    const [kind = '', ...id] = subject.split(':')
    query = query.where('a.subject_type', '=', kind)
    if (id.length > 0) query = query.where('a.subject_id', '=', id.join(':'))
  }
  if (since) query = query.where('a.at', '>=', new Date(`${since}T00:00:00Z`))
  if (until) query = query.where('a.at', '<', sql<Date>`${until}::date + interval '1 day'`)
  if (before_id) query = query.where('a.id', '<', before_id)
  const rows = await query.orderBy('a.id', 'desc').limit(limit).execute()
  return rows.map(entryOf)
}

export async function historyOf(db: Db, subjectType: string, subjectId: string, limit = 20): Promise<AuditEntry[]> {
  const rows = await withActors(db)
    .where('a.subject_type', '=', subjectType)
    .where('a.subject_id', '=', subjectId)
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

/** The latest entries by a user, or about their account. */
export async function listLately(db: Db, userId: string, limit = 8): Promise<AuditEntry[]> {
  const rows = await withActors(db)
    .where(({ or, and, eb }) =>
      or([eb('a.actor_id', '=', userId), and([eb('a.subject_type', '=', 'user'), eb('a.subject_id', '=', userId)])]),
    )
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

/** Values to filter by. */
export async function listAuditedKinds(db: Db): Promise<{ actions: string[]; subjects: string[] }> {
  const actions = await db.selectFrom('audit_log').select('action').distinct().orderBy('action').limit(200).execute()
  const subjects = await db
    .selectFrom('audit_log')
    .select('subject_type')
    .distinct()
    .orderBy('subject_type')
    .limit(200)
    .execute()
  return { actions: actions.map((row) => row.action), subjects: subjects.map((row) => row.subject_type) }
}

const withActors = (db: Db) =>
  db
    .selectFrom('audit_log as a')
    .leftJoin('user_profiles as p', 'p.id', 'a.actor_id')
    .leftJoin('user_profiles as s', (join) =>
      join.on('a.subject_type', '=', 'user').on(sql`s.id::text`, '=', sql.ref('a.subject_id')),
    )
    .selectAll('a')
    .select(['p.display_name as actor_name', 's.display_name as subject_name'])

const prefixed = (action: string) => `${action.replaceAll(/[\\%_]/g, '\\$&')}.%`

type Row = Awaited<ReturnType<ReturnType<typeof withActors>['execute']>>[number]

const entryOf = (row: Row): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor_id: row.actor_id,
  actor_name: row.actor_name,
  actor_role: row.actor_role,
  action: row.action,
  subject_type: row.subject_type,
  subject_id: row.subject_id,
  subject_name: row.subject_name,
  before: row.before as AuditEntry['before'],
  after: row.after as AuditEntry['after'],
  reason: row.reason,
})
