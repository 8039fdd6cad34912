import { type SelectQueryBuilder, sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Channel, MessageChannel } from '#shared/delivery/kinds.ts'
import { LANGUAGES } from '#shared/language.ts'
import {
  type AnnouncementDetail,
  type AnnouncementQuery,
  type AnnouncementRow,
  type ChannelStats,
  MAX_NAMED,
} from '#shared/notifications/announcements.ts'
import { rowsOf, sortOf } from '#shared/table.ts'
import { noSuchAnnouncement } from './lifecycle.ts'
import { localOf } from './local-time.ts'
import { writtenOf } from './texts.ts'

/** A draft lists all named users so that it can be edited. */
const NAMED = { draft: MAX_NAMED, others: 50 }
const REASONS = 10

/**
 * Announcements to many; with an author, only theirs. In a transaction of the service, since only it may count
 * messages.
 */
export async function listAnnouncements(db: Db, query: z.output<typeof AnnouncementQuery>, author?: string) {
  let found = db
    .selectFrom('announcements as a')
    .leftJoin('user_profiles as author', 'author.id', 'a.created_by')
    // Excludes test messages.
    .where('a.announcement_key', 'not like', 'test %')
  if (author) found = found.where('a.created_by', '=', author).where('a.kind', '=', 'announcement')
  if (query.kind) found = found.where('a.kind', '=', query.kind)
  if (query.status) found = found.where('a.status', '=', query.status)
  if (query.priority) found = found.where('a.priority', '=', query.priority)
  if (query.search) {
    const like = `%${escapeLike(query.search)}%`
    found =
      found.where(sql<boolean>`(a.texts -> 'en' ->> 'title' ilike ${like} or a.texts -> 'ar' ->> 'title' ilike ${like}
      or a.texts -> 'en' ->> 'message' ilike ${like} or a.texts -> 'ar' ->> 'message' ilike ${like})`)
  }
  const { column, direction } = sortOf(query.sort)
  const { limit, offset } = rowsOf(query)
  const by =
    column === 'priority'
      ? sql`array_position(array['low','medium','high','urgent'], a.priority)`
      : sql.ref(`a.${column === 'people' ? 'recipient_count' : column}`)
  const rows = await selected(found)
    .orderBy(by, direction)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { announcements: rows.map(rowOf), total, page: query.page, per_page: query.per_page }
}

type Found = SelectQueryBuilder<
  Tables & {
    a: Tables['announcements']
    author: { [K in keyof Tables['user_profiles']]: Tables['user_profiles'][K] | null }
  },
  'a' | 'author',
  object
>
const selected = (found: unknown) =>
  (found as Found)
    .selectAll('a')
    .select('author.display_name as created_by_name')
    .select(
      sql<number>`(select count(*)::int from messages m where m.announcement_id = a.id and m.status = 'failed')`.as(
        'failed',
      ),
    )

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]

const iso = (instant: Date | null) => instant?.toISOString() ?? null

function rowOf(row: Row): AnnouncementRow {
  const { id, kind, priority, recipient_count: people, failed, created_by_name } = row
  const title = row.texts.en?.title || row.texts.ar?.title || ''
  return {
    ...{ id, kind, priority, title, people, failed, created_by_name },
    status: row.status,
    titles: { en: row.texts.en?.title ?? title, ar: row.texts.ar?.title ?? title },
    scheduled_for: iso(row.scheduled_for),
    created_at: row.created_at.toISOString(),
    told_at: iso(row.sent_at),
  }
}

/** One announcement with its delivery statistics. */
export async function getAnnouncement(db: Db, id: string, me: string, zone: string): Promise<AnnouncementDetail> {
  const row = await selected(
    db
      .selectFrom('announcements as a')
      .leftJoin('user_profiles as author', 'author.id', 'a.created_by')
      .where('a.id', '=', id),
  ).executeTakeFirst()
  if (!row) throw noSuchAnnouncement()
  const names = await namesOf(db, [row.approved_by, row.declined_by])
  const texts = row.kind === 'announcement' ? writtenOf(row.texts) : shown(row.texts)
  return {
    ...rowOf(row),
    audience: row.audience && (await audienceOf(db, row.audience, NAMED[row.status === 'draft' ? 'draft' : 'others'])),
    channels: row.channels,
    texts,
    action_url: row.action_url,
    advisory_id: row.advisory_id,
    scheduled_local: row.scheduled_for ? localOf(row.scheduled_for, zone) : '',
    updated_at: row.updated_at.toISOString(),
    is_mine: row.created_by === me,
    approved_by_name: names.get(row.approved_by) ?? null,
    approved_at: iso(row.approved_at),
    declined_by_name: names.get(row.declined_by) ?? null,
    declined_at: iso(row.declined_at),
    decline_reason: row.decline_reason,
    figures: await channelStatsOf(db, id),
    reasons: await reasonsOf(db, id),
  }
}

function shown(texts: Row['texts']): AnnouncementDetail['texts'] {
  const entries = LANGUAGES.map((language) => {
    const { title = '', message = '' } = texts[language] ?? {}
    return [language, { title, message }]
  })
  return Object.fromEntries(entries) as AnnouncementDetail['texts']
}

async function namesOf(db: Db, userIds: (string | null)[]) {
  const ids = userIds.filter((id) => id !== null)
  if (ids.length === 0) return new Map<string | null, string>()
  const rows = await db.selectFrom('user_profiles').select(['id', 'display_name']).where('id', 'in', ids).execute()
  return new Map<string | null, string>(rows.map((user) => [user.id, user.display_name]))
}

async function audienceOf(
  db: Db,
  audience: NonNullable<Row['audience']>,
  named: number,
): Promise<NonNullable<AnnouncementDetail['audience']>> {
  const { roles = [], countries = [], chapters = [], users = [], within } = audience
  const [places, people] = [
    await chaptersOf(db, chapters),
    await db
      .selectFrom('user_profiles')
      .select(['id', 'display_name as name', 'email'])
      .where(sql<boolean>`id = any(${users}::uuid[])`)
      .orderBy('display_name')
      .limit(named)
      .execute(),
  ]
  return {
    ...{ roles, countries, chapters: places, people, people_count: users.length },
    within: within
      ? {
          everywhere: within.everywhere ?? false,
          countries: within.countries ?? [],
          chapters: await chaptersOf(db, within.chapters ?? []),
        }
      : null,
  }
}

const chaptersOf = (db: Db, ids: string[]) =>
  db
    .selectFrom('mfa_local_chapters')
    .select(['id', 'chapter_name as name'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('chapter_name')
    .execute()

/** By channel; the inbox receives it at fan-out. */
async function channelStatsOf(db: Db, id: string): Promise<ChannelStats[]> {
  const { rows } = await sql<ChannelStats>`
    select channel, (coalesce(sum(n) filter (where status in ('pending', 'sending')), 0))::int as waiting,
      (coalesce(sum(n) filter (where status = 'deferred'), 0))::int as deferred,
      (coalesce(sum(n) filter (where status = 'sent'), 0))::int as sent,
      (coalesce(sum(n) filter (where status = 'delivered'), 0))::int as delivered,
      (coalesce(sum(n) filter (where status = 'failed'), 0))::int as failed,
      (coalesce(sum(n) filter (where status in ('dropped', 'cancelled')), 0))::int as dropped,
      (coalesce(sum(n) filter (where status = 'recorded'), 0))::int as recorded
    from (
      select channel, status, count(*) as n from messages where announcement_id = ${id} group by 1, 2
      union all
      select channel, status, messages from announcement_stats where announcement_id = ${id}
    ) counted group by channel order by channel`.execute(db)
  const { rows: inboxRows } = await sql<{ channel: Channel; delivered: number }>`
    select channel, count(*)::int as delivered from notifications, unnest(delivery_method) channel
    where announcement_id = ${id} and channel in ('in-app', 'browser') group by channel order by channel desc`.execute(
    db,
  )
  const none = { waiting: 0, deferred: 0, sent: 0, failed: 0, dropped: 0, recorded: 0 }
  return [...inboxRows.map((row) => ({ ...none, ...row })), ...rows]
}

async function reasonsOf(db: Db, id: string) {
  const { rows } = await sql<{ channel: MessageChannel; error: string; count: number }>`
    select channel, coalesce(error, '') as error, count(*)::int as count from messages
    where announcement_id = ${id} and status = 'failed' group by 1, 2 order by 3 desc, 1, 2 limit ${REASONS}`.execute(
    db,
  )
  return rows
}
