import { sql } from 'kysely'
import type { AdvisoryModel } from '#server/advisories/model.ts'
import { agesOf } from '#server/churches/care.ts'
import { countCare } from '#server/churches/care-queries.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { findOpenRollCalls } from '#server/roll-calls/queries.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
import type { QueueGroup, TaskKind } from '#shared/overview/queue.ts'
import type { Access } from '#shared/roles.ts'
import { countExpiredFacts, countUnresolvedNames, waitingAccounts } from './queries.ts'
import { type RankedRow, SILENT_RANK, taskRank } from './queue-rank.ts'

export interface TaskContext {
  user: SignedIn
  now: Date
  settings: SettingsModel
  advisories: AdvisoryModel
}

/** Reads the open work of one group that is not about a person in need. Policies decide what the caller sees. */
export interface TaskReader {
  group: QueueGroup
  access: Access
  read: (db: Db, context: TaskContext) => Promise<Task[]>
}

/** What a reader knows of a row; the rest is empty. */
export type Task = Partial<Omit<RankedRow, 'kind' | 'since'>> & { kind: TaskKind; since?: Date | string | null }

/** Minutes until work of a kind is late. Without a limit, or without a known start, it never is. */
const LIMIT_MINUTES: Partial<Record<TaskKind, number>> = {
  roll_call: 60,
  alarm: 0,
  backup: 0,
  failed_messages: 60,
  announcement: 24 * 60,
  withheld: 24 * 60,
  lower_levels: 24 * 60,
  source: 24 * 60,
  church_messages: 48 * 60,
  accounts: 72 * 60,
  discretion: 72 * 60,
  import: 72 * 60,
  church_corrections: 168 * 60,
  questions: 168 * 60,
}

/** An import that nobody finishes in this time was abandoned. */
const IMPORT_DAYS = 14

/** A row of the queue. */
export function taskRow({ kind, since = null, ...task }: Task, now: Date): RankedRow {
  const at = since === null ? null : new Date(since)
  const limit = LIMIT_MINUTES[kind]
  const is_late = at !== null && limit !== undefined && now.valueOf() - at.valueOf() >= limit * 60_000
  return {
    kind,
    ...{ id: null, user_id: null, name: null, about: null, cause: null, count: 1, figures: {} },
    ...{ country_code: null, time_zone: null, words: null, last_at: null, owner_name: null, requested_name: null },
    ...{ is_mine: false, is_danger: false, may_take: false },
    is_late,
    rank: taskRank(is_late),
    ...task,
    since: at?.toISOString() ?? null,
  }
}

/** Work that policies limit to the caller's scope. */
export const TASK_READERS: readonly TaskReader[] = [
  { group: 'roll_calls', access: 'rollCalls', read: silentRollCalls },
  { group: 'calls', access: 'takeCases', read: bursts },
  { group: 'accounts', access: 'verifyAccounts', read: accounts },
  { group: 'churches', access: 'careForLocales', read: churchCare },
  { group: 'announcements', access: 'manageNotifications', read: announcements },
  { group: 'discretion', access: 'manageLocales', read: discretionRequests },
  { group: 'imports', access: 'manageLocales', read: imports },
  { group: 'advisories', access: 'manageAdvisories', read: advisoryDecisions },
  { group: 'assistant', access: 'manageAssistant', read: assistantReview },
]

/** A task of several things; none without any. */
export const several = (count: number, task: Omit<Task, 'count'>): Task[] => (count > 0 ? [{ ...task, count }] : [])

async function silentRollCalls(db: Db, { user }: TaskContext): Promise<Task[]> {
  const open = await findOpenRollCalls(db)
  return open
    .filter(({ counts }) => counts.silent > 0)
    .map(({ id, title, started_at, started_by, started_by_name, country_codes, counts }) => ({
      ...{ kind: 'roll_call', id, name: title, since: started_at, rank: SILENT_RANK },
      country_code: country_codes.length === 1 ? country_codes[0]! : null,
      figures: { asked: counts.asked, silent: counts.silent },
      owner_name: started_by_name,
      is_mine: started_by === user.id,
    }))
}

/** Countries with very many calls from people without an account. */
async function bursts(db: Db): Promise<Task[]> {
  const rows = await db
    .selectFrom('case_bursts')
    .select(['country_code', 'started_at', 'count'])
    .where('ended_at', 'is', null)
    .execute()
  return rows.map(({ country_code, started_at, count }) => ({
    ...{ kind: 'burst', id: country_code, since: started_at, count, rank: 1, is_danger: true },
    country_code: country_code || null,
  }))
}

async function accounts(db: Db, { user }: TaskContext): Promise<Task[]> {
  const { count, oldest_at } = await waitingAccounts(db, user.id)
  return several(count, { kind: 'accounts', since: oldest_at })
}

async function churchCare(db: Db, { settings }: TaskContext): Promise<Task[]> {
  const { due, messages, corrections } = await countCare(db, agesOf(settings))
  return [
    ...several(messages.count, { kind: 'church_messages', since: messages.oldest_at }),
    ...several(corrections.count, { kind: 'church_corrections', since: corrections.oldest_at }),
    ...several(due, { kind: 'churches_due' }),
  ]
}

/** Submitted announcements that the caller may approve: not their own. */
async function announcements(db: Db, { user }: TaskContext): Promise<Task[]> {
  const rows = await db
    .selectFrom('announcements as a')
    .leftJoin('user_profiles as u', 'u.id', 'a.created_by')
    .select(['a.id', 'a.updated_at', 'u.display_name', sql<string | null>`a.texts -> 'en' ->> 'title'`.as('title')])
    .where('a.status', '=', 'for_approval')
    .where(sql<boolean>`a.created_by is distinct from ${user.id}`)
    .execute()
  return rows.map(({ id, title, display_name, updated_at }) => ({
    ...{ kind: 'announcement', id, name: title, about: display_name, since: updated_at },
  }))
}

/** Requests to publish more about churches that need a second administrator: not the caller's own. */
async function discretionRequests(db: Db, { user, now }: TaskContext): Promise<Task[]> {
  const rows = await db
    .selectFrom('discretion_requests as r')
    .leftJoin('locales as l', 'l.id', 'r.locale_id')
    .leftJoin('user_profiles as u', 'u.id', 'r.requested_by')
    .select(['r.id', 'r.country_code', 'r.requested_at', 'l.name', 'u.display_name'])
    .where('r.status', '=', 'pending')
    .where('r.expires_at', '>', now)
    .where('r.requested_by', '<>', user.id)
    .execute()
  return rows.map(({ id, name, display_name, country_code, requested_at }) => ({
    ...{ kind: 'discretion', id, name, about: display_name, country_code, since: requested_at },
  }))
}

/** Files that were read and planned, but not applied. */
async function imports(db: Db, { user, now }: TaskContext): Promise<Task[]> {
  const rows = await db
    .selectFrom('imports as i')
    .leftJoin('user_profiles as u', 'u.id', 'i.created_by')
    .select(['i.id', 'i.file_name', 'i.row_count', 'i.created_at', 'i.created_by', 'u.display_name'])
    .where('i.kind', '=', 'locales')
    .where('i.status', 'in', ['uploaded', 'planned'])
    .where('i.created_at', '>', new Date(now.valueOf() - IMPORT_DAYS * 86_400_000))
    .execute()
  return rows.map(({ id, file_name, row_count, created_at, created_by, display_name }) => ({
    ...{ kind: 'import', id, name: file_name, figures: { rows: row_count }, since: created_at },
    owner_name: display_name,
    is_mine: created_by === user.id,
  }))
}

/** Decisions about the sources: news that was not sent, lower levels, sources that do not answer, unknown names. */
async function advisoryDecisions(db: Db, { advisories, now }: TaskContext): Promise<Task[]> {
  const sources = advisories.sources(now)
  const sourceOf = (id: string) => {
    const source = sources.find((known) => known.id === id)
    return { id, name: source?.name ?? id, country_code: source?.country_code ?? null }
  }
  const { rows } = await sql<{ kind: 'withheld' | 'lower_levels'; source_id: string; count: number; since: Date }>`
    select 'withheld' as kind, source_id, count(*)::int as count, min(withheld_at) as since
    from withheld_announcements where decided_at is null group by source_id
    union all
    select 'lower_levels', source_id, count(*)::int, min(pending_since)
    from travel_advisories where pending_since is not null group by source_id`.execute(db)
  return [
    ...rows.map(({ source_id, ...row }) => ({ ...row, ...sourceOf(source_id) })),
    ...byAuthority(sources)
      .filter(({ state }) => state === 'not_confirmed')
      .map(({ id, not_confirmed_since }) => ({
        ...{ kind: 'source' as const, since: not_confirmed_since },
        ...sourceOf(id),
      })),
    ...several(await countUnresolvedNames(db), { kind: 'names' }),
  ]
}

async function assistantReview(db: Db, { now }: TaskContext): Promise<Task[]> {
  const questions = await db
    .selectFrom('assistant_questions')
    .select(({ fn }) => [sql<number>`count(*)::int`.as('count'), fn.min('asked_at').as('since')])
    .where('reviewed_at', 'is', null)
    .where((eb) => eb.or([eb('status', 'in', ['unknown', 'partly']), eb('rating', '=', -1)]))
    .executeTakeFirstOrThrow()
  return [
    ...several(questions.count, { kind: 'questions', since: questions.since }),
    ...several(await countExpiredFacts(db, now), { kind: 'facts' }),
  ]
}
