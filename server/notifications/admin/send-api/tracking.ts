import { type Expression, sql } from 'kysely'
import type { AdvisoryRow } from '#server/advisories/advisory-row.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { resendExtras } from '#server/delivery/outbox.ts'
import { TRIES } from '#server/delivery/record-results.ts'
import { firstOf } from '#shared/assert.ts'
import { QUEUE_PRIORITY, queuePriorityOf } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import { TRACKED_STATUSES, TRACKED_TYPES, type Tracked } from '#shared/notifications/tracking.ts'
import { priorityOf } from '../../advisory-changes/announce.ts'
import { advisoryTexts } from '../../advisory-changes/texts.ts'
import { announce } from '../../announcements/create.ts'

/** Advisory deliveries in the documented form: outbox messages and inbox entries. */
const TRACKED = sql`
  select m.id, a.advisory_id, m.user_id, m.subscription_id, m.channel as notification_type,
    case when m.status in ('pending', 'deferred', 'sending')
      then case when m.attempts > 0 then 'retrying' else 'pending' end
      when m.status in ('dropped', 'cancelled') then 'failed' else m.status end as status,
    p.email as user_email, p.display_name as user_name, p.phone_number as user_phone, m.provider_message_id as message_id,
    m.error as error_message, m.attempts as retry_count, ${sql.lit(TRIES)} as max_retries, m.created_at, m.sent_at,
    m.delivered_at, m.status = 'failed' and m.attempts < ${sql.lit(TRIES)} as may_retry
  from messages m join announcements a on a.id = m.announcement_id left join user_profiles p on p.id = m.user_id
  where a.kind = 'advisory'
  union all
  select n.id, a.advisory_id, n.user_id, null, channel, case n.status when 'sent' then 'delivered' else 'pending' end,
    p.email, p.display_name, p.phone_number, null, null, 0, ${sql.lit(TRIES)}, n.created_at, n.sent_at, n.sent_at, false
  from notifications n join announcements a on a.id = n.announcement_id left join user_profiles p on p.id = n.user_id
  cross join unnest(n.delivery_method) channel
  where a.kind = 'advisory' and channel in ('in-app', 'browser')`

interface Row extends Omit<Tracked, 'notification_id' | 'created_at' | 'sent_at' | 'delivered_at'> {
  created_at: Date
  sent_at: Date | null
  delivered_at: Date | null
  may_retry?: boolean
}

const shown = ({ may_retry: _, ...row }: Row): Tracked => ({
  ...row,
  notification_id: row.id,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  delivered_at: row.delivered_at?.toISOString() ?? null,
})

export async function listTracked(
  db: Db,
  which: 'pending' | 'failed',
  { limit, offset }: { limit: number; offset: number },
) {
  const wanted = which === 'pending' ? sql`status = 'pending'` : sql`may_retry`
  const order = which === 'pending' ? sql`created_at, id` : sql`created_at desc, id`
  const { rows } = await sql<Row>`
    select * from (${TRACKED}) t where ${wanted} order by ${order} limit ${limit} offset ${offset}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from (${TRACKED}) t where ${wanted}`.execute(db)
  return { notifications: rows.map(shown), total: firstOf(counted).total }
}

export async function trackedStats(db: Db) {
  const { rows } = await sql<{ status: string; type: string; n: number }>`
    select status, notification_type as type, count(*)::int as n from (${TRACKED}) t group by 1, 2 order by 1, 2`.execute(
    db,
  )
  const stats: Record<string, Record<string, number>> = {}
  const [by_status, by_type]: [Record<string, number>, Record<string, number>] = [{}, {}]
  for (const { status, type, n } of rows) {
    stats[type] = { ...stats[type], [status]: n }
    by_status[status] = (by_status[status] ?? 0) + n
    by_type[type] = (by_type[type] ?? 0) + n
  }
  return { total: rows.reduce((sum, { n }) => sum + n, 0), by_status, by_type, stats }
}

/** Delivers an advisory to one user over one channel. Idempotent: a repeated call returns the same record. */
export async function createTracked(
  db: Db,
  input: {
    advisory_id: string
    user_id: string
    subscription_id?: string | null | undefined
    notification_type: string
  },
  { countries, createdBy }: { countries: Countries; createdBy: string },
): Promise<Tracked> {
  const { user_id, notification_type: type } = input
  if (!(TRACKED_TYPES as readonly string[]).includes(type))
    throw new AppError(422, 'unsupported_type', 'Unsupported notification type')
  const advisory = await db
    .selectFrom('travel_advisories')
    .selectAll()
    .where('id', '=', input.advisory_id)
    .executeTakeFirst()
  if (!advisory) throw new AppError(404, 'advisory_not_found', 'Advisory data not found')
  const user = await db.selectFrom('user_profiles').selectAll().where('id', '=', user_id).executeTakeFirst()
  if (!user || user.profile_status === 'deleted') throw new AppError(404, 'user_not_found', 'Account not found.')
  if (type === 'email' && !user.email) throw new AppError(409, 'no_address', 'No email address available for user')
  if (type === 'sms' && !user.phone_number) throw new AppError(409, 'no_address', 'No phone number available for user')

  const known = await db
    .selectFrom('announcements')
    .select('id')
    .where('advisory_id', '=', advisory.id)
    .where('advisory_version', '=', advisory.version)
    .where('status', 'in', ['waiting', 'sent'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const announcement = known?.id ?? (await announceToUser(db, advisory, countries, createdBy))
  const isText = type !== 'in-app' && type !== 'browser'
  const language = user.preferred_language === 'ar' ? 'ar' : 'en'
  const queuePriority = advisory.is_urgent ? QUEUE_PRIORITY.urgent : queuePriorityOf('high')
  const id = isText
    ? await insertMessage(db, {
        announcement,
        user_id,
        channel: type,
        language,
        queuePriority,
        subscription: input.subscription_id ?? null,
      })
    : await insertInboxItem(db, {
        announcement,
        user_id,
        type,
        text: advisoryTexts(advisory, { before: null, reason: 'manual', countries })[language],
        advisory: advisory.id,
        priority: priorityOf(advisory, 'manual'),
      })
  return findTracked(db, id)
}

/** Already marked as sent, so that no fan-out happens: recipients are added one by one. */
async function announceToUser(db: Db, advisory: AdvisoryRow & { id: string }, countries: Countries, createdBy: string) {
  const id = await announce(db, {
    key: `advisory ${advisory.id} tracked ${advisory.version}`,
    kind: 'advisory',
    priority: priorityOf(advisory, 'manual'),
    template: 'advisory',
    texts: advisoryTexts(advisory, { before: null, reason: 'manual', countries }),
    actionUrl: `/travel-advisories/${advisory.id}`,
    advisory: { id: advisory.id, version: advisory.version, reason: 'manual' },
    audience: null,
    channels: null,
    createdBy,
  })
  await db
    .updateTable('announcements')
    .set({ status: 'sent', sent_at: sql<Date>`now()`, recipient_count: 0 })
    .where('id', '=', id)
    .execute()
  return id
}

async function insertMessage(
  db: Db,
  row: {
    announcement: string
    user_id: string
    channel: string
    language: string
    queuePriority: number
    subscription: string | null
  },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into messages (message_key, channel, user_id, template, language, announcement_id, subscription_id, kind, queue_priority)
    values (${`${row.announcement} ${row.user_id} ${row.channel}`}, ${row.channel}, ${row.user_id}, 'advisory', ${row.language},
      ${row.announcement}, ${row.subscription}, 'advisory', ${row.queuePriority})
    on conflict (message_key) do update set subscription_id = coalesce(messages.subscription_id, excluded.subscription_id)
    returning id`.execute(db)
  return firstOf(rows).id
}

async function insertInboxItem(
  db: Db,
  row: {
    announcement: string
    user_id: string
    type: string
    text: { title: string; message: string }
    advisory: string
    priority: string
  },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into notifications (user_id, type, title, message, data, delivery_method, priority, status, sent_at, action_url,
      event_key, announcement_id)
    values (${row.user_id}, 'advisory', left(${row.text.title}, 300), left(${row.text.message}, 5000),
      ${JSON.stringify({ advisory_id: row.advisory })}, ${[row.type]}::text[], ${row.priority}, 'sent', now(),
      ${`/travel-advisories/${row.advisory}`}, ${`${row.announcement} ${row.user_id}`}, ${row.announcement})
    on conflict (event_key) do update set delivery_method = case when ${row.type} = any(notifications.delivery_method)
      then notifications.delivery_method else notifications.delivery_method || ${row.type}::text end
    returning id`.execute(db)
  return firstOf(rows).id
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function findTracked(db: Db, id: string): Promise<Tracked> {
  const { rows } = await sql<Row>`select * from (${TRACKED}) t where id = ${id} limit 1`.execute(db)
  if (!rows[0]) throw new AppError(404, 'notification_not_found', 'Notification not found')
  return shown(rows[0])
}

/** Records the status of a delivery. A delivered message stays delivered, since events arrive late and out of order. */
export async function updateTracked(
  db: Db,
  input: {
    notification_id?: string | undefined
    status?: string | undefined
    message_id?: string | null | undefined
    error_message?: string | null | undefined
    provider_response?: unknown
  },
): Promise<Tracked> {
  const { notification_id: id, status } = input
  if (!id || !status)
    throw new AppError(400, 'missing_fields', 'A status update needs notification_id and status.', {
      fields: {
        ...(id ? {} : { notification_id: 'This field is required' }),
        ...(status ? {} : { status: 'This field is required' }),
      },
    })
  if (!(TRACKED_STATUSES as readonly string[]).includes(status) || !UUID.test(id))
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: UUID.test(id) ? { status: 'Choose from the list' } : { notification_id: 'Choose from the list' },
    })
  const becomes = status === 'retrying' ? 'pending' : status
  const now = sql<Date>`now()`
  const when: Record<string, Record<string, Expression<Date>>> = {
    sent: { sent_at: now },
    delivered: { delivered_at: now },
  }
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({
      status: becomes as 'sent',
      error: input.error_message ?? null,
      ...(input.message_id ? { provider_message_id: input.message_id } : {}),
      ...(status === 'retrying' ? { not_before: now, attempts: 0, extras: resendExtras } : {}),
      ...when[status],
    })
    .where('id', '=', id)
    .where('announcement_id', 'in', (of) => of.selectFrom('announcements').select('id').where('kind', '=', 'advisory'))
    .where(sql<boolean>`(status <> 'delivered' or ${becomes} = 'delivered')`)
    .executeTakeFirst()
  const answered = input.provider_response
  if (numUpdatedRows > 0n && answered !== undefined)
    await db
      .insertInto('message_attempts')
      .values({
        message_id: id,
        provider: null,
        result: status === 'failed' ? 'failed' : 'delivery_event',
        detail: (typeof answered === 'string' ? answered : (JSON.stringify(answered) ?? '')).slice(0, 500),
      })
      .execute()
  return findTracked(db, id)
}

/** Deletes older finished advisory deliveries, but keeps their counts; inbox entries stay. */
export async function cleanUp(db: Db, days: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from messages m using announcements a where a.id = m.announcement_id and a.kind = 'advisory'
        and m.status in ('sent', 'delivered', 'failed', 'recorded', 'dropped', 'cancelled')
        and m.created_at < now() - make_interval(days => ${days})
      returning m.announcement_id, m.channel, m.status
    ), counted as (
      insert into announcement_stats (announcement_id, channel, status, messages)
      select announcement_id, channel, status, count(*) from gone group by 1, 2, 3
      on conflict (announcement_id, channel, status)
        do update set messages = announcement_stats.messages + excluded.messages
    )
    select count(*)::int as deleted from gone`.execute(db)
  return firstOf(rows).deleted
}
