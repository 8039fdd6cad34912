import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { Db } from '#server/db/connection.ts'
import { containing } from '#server/db/like.ts'
import type { AuditEntry, AuditFilters } from '#shared/audit/endpoints.ts'
import { findNames } from './names.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The latest first; one extra row tells whether there are older ones. Days are those of `zone`. */
export async function listAuditEntries(
  db: Db,
  filters: AuditFilters,
  zone: string,
  limit: number,
): Promise<AuditEntry[]> {
  let query = withActors(db)
  const { search, action, subject, since, until, before_id } = filters
  if (search && UUID.test(search))
    query = query.where(({ or, eb }) => or([eb('a.subject_id', '=', search), eb('a.actor_id', '=', search)]))
  else if (search)
    query = query.where(({ or, and, eb, selectFrom }) =>
      or([
        eb('p.search_text', 'like', containing(search)),
        and([
          eb('a.subject_type', '=', 'user'),
          eb(
            'a.subject_id',
            'in',
            selectFrom('user_profiles')
              .select(sql<string>`id::text`.as('id'))
              .where('search_text', 'like', containing(search))
              .where('profile_status', '<>', 'deleted'),
          ),
        ]),
      ]),
    )
  if (action)
    query = query.where(({ or, eb }) => or([eb('a.action', '=', action), eb('a.action', 'like', prefixed(action))]))
  if (subject) {
    const [kind = '', ...id] = subject.split(':')
    query = query.where('a.subject_type', '=', kind)
    if (id.length > 0) query = query.where('a.subject_id', '=', id.join(':'))
  }
  if (since) query = query.where('a.at', '>=', startOf(since, zone))
  if (until) query = query.where('a.at', '<', startOf(until, zone, 1))
  if (before_id) query = query.where('a.id', '<', before_id)
  const rows = await query.orderBy('a.id', 'desc').limit(limit).execute()
  return named(db, rows)
}

export async function historyOf(db: Db, subjectType: string, subjectId: string, limit = 20): Promise<AuditEntry[]> {
  const rows = await withActors(db)
    .where('a.subject_type', '=', subjectType)
    .where('a.subject_id', '=', subjectId)
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
  return named(db, rows)
}

/** The latest entries of all. */
export async function listLatest(db: Db, limit: number): Promise<AuditEntry[]> {
  return named(db, await withActors(db).orderBy('a.id', 'desc').limit(limit).execute())
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
  return named(db, rows)
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
    .leftJoin('user_profiles as p', (join) =>
      // The row of a deleted account stays, without a name of its own.
      join.onRef('p.id', '=', 'a.actor_id').on('p.profile_status', '<>', 'deleted'),
    )
    .selectAll('a')
    .select('p.display_name as actor_name')

/** Start of a day in a time zone, or of the day `later` days after it. */
const startOf = (day: string, zone: string, later = 0): Date =>
  new Date(Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(zone).epochMilliseconds)

const prefixed = (action: string) => `${action.replaceAll(/[\\%_]/g, '\\$&')}.%`

type Row = Awaited<ReturnType<ReturnType<typeof withActors>['execute']>>[number]

async function named(db: Db, rows: readonly Row[]): Promise<AuditEntry[]> {
  const names = await findNames(db, rows)
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor_id: row.actor_id,
    actor_name: row.actor_name,
    actor_role: row.actor_role,
    action: row.action,
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    subject_name: names.subject(row),
    names: names.mentioned(row),
    before: row.before as AuditEntry['before'],
    after: row.after as AuditEntry['after'],
    reason: row.reason,
  }))
}
