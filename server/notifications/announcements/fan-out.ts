import { type Selectable, sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { AnnouncementsTable } from '#server/db/tables-notifications.ts'
import { firstOf } from '#shared/assert.ts'
import { type MessageChannel, QUEUE_PRIORITY, queuePriorityOf } from '#shared/delivery/kinds.ts'
import { audienceQuery, recipientsQuery } from './recipients.ts'

type Row = Selectable<AnnouncementsTable>

export interface FanOutResult {
  id: string
  recipients: number
  messages: number
  inboxItems: number
}

/** First batch size of an urgent fan-out (user × channel). */
const FIRST_BATCH = 300
/** An audience above this size is a bulk send, queued behind single messages unless urgent. */
const BULK_SIZE = 500

/**
 * Turns every due announcement into outbox and inbox rows for each recipient, in one committed statement each. Safe to
 * run in several places at once, and again after a crash: an announcement is fanned out completely or still waits. An
 * urgent one starts with a first batch, so that the first messages are sent while the rows of a hundred thousand others
 * are written. `unsent`: channels without a provider, which reach nobody.
 */
export async function fanOutDue(database: Database, unsent: readonly MessageChannel[] = []): Promise<FanOutResult[]> {
  const inTransaction = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'announcements', fn)
  const done: { row: Row; result: FanOutResult }[] = []
  await inTransaction(revertExpired)
  for (;;) {
    const first = await inTransaction(async (db) => {
      const row = await lockDue(db, { isFirstBatch: true })
      return row && { id: row.id, ...(await fanOut(db, row, FIRST_BATCH)) }
    })
    const all = await inTransaction(async (db) => {
      const row = await lockDue(db, { isFirstBatch: false })
      if (!row) return undefined
      const result = { id: row.id, ...(await fanOut(db, row)) }
      await db
        .updateTable('announcements')
        .set({ status: 'sent', sent_at: sql<Date>`clock_timestamp()`, recipient_count: result.recipients })
        .where('id', '=', row.id)
        .execute()
      return { row, result }
    })
    if (!all) break
    if (first?.id === all.row.id) {
      all.result.messages += first.messages
      all.result.inboxItems += first.inboxItems
    }
    done.push(all)
  }
  // Done last, so that updating the subscriptions' dates does not delay any recipient.
  for (const { row } of done) if (row.kind === 'advisory') await inTransaction((db) => markNotified(db, row, unsent))
  return done.map(({ result }) => result)
}

/**
 * Due announcements whose author's role has expired go back to draft, as when a role is revoked. Selects first: even an
 * update that matches nothing would notify the dispatchers and wake this job again.
 */
async function revertExpired(db: Db): Promise<void> {
  const over = await db
    .selectFrom('announcements as n')
    .innerJoin('user_profiles as p', 'p.id', 'n.created_by')
    .select('n.id')
    .where('n.status', '=', 'waiting')
    .where(
      sql<boolean>`coalesce(n.scheduled_for, n.created_at) <= now() and n.audience ? 'within' and p.role_ends_at <= now()`,
    )
    .forUpdate('n')
    .skipLocked()
    .execute()
  if (over.length === 0) return
  await db
    .updateTable('announcements')
    .set({ status: 'draft', updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')` })
    .where(
      'id',
      'in',
      over.map(({ id }) => id),
    )
    .execute()
}

/** Locks the announcement to fan out next, urgent ones first; for a first batch, an urgent one without any message. */
function lockDue(db: Db, { isFirstBatch }: { isFirstBatch: boolean }): Promise<Row | undefined> {
  return db
    .selectFrom('announcements as n')
    .selectAll()
    .where('status', '=', 'waiting')
    .where(sql<boolean>`coalesce(scheduled_for, created_at) <= now()`)
    .$if(isFirstBatch, (query) =>
      query
        .where('priority', '=', 'urgent')
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('messages').select('id').whereRef('announcement_id', '=', 'n.id'))),
        ),
    )
    .orderBy(sql`priority = 'urgent'`, 'desc')
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/**
 * Writes the rows of each recipient. Idempotent: existing rows are not added again. In the transaction `db` of the
 * service, which has locked the announcement.
 */
export async function fanOut(db: Db, row: Row, limit?: number): Promise<Omit<FanOutResult, 'id'>> {
  // Avoids sorting a hundred thousand recipients on disk.
  await sql`select set_config('work_mem', '64MB', true)`.execute(db)
  const isUrgent = row.priority === 'urgent'
  const queuePriority = queuePriorityOf(row.priority)
  const texts = JSON.stringify(row.texts)
  const { rows } = await sql<Omit<FanOutResult, 'id'>>`
    with recipients as materialized (${recipientsQuery(row, limit)}),
    audience_size as materialized (
      select count(*)::int as recipients from (select from recipients where not is_suppressed group by user_id) r
    ),
    content as materialized (
      select key as language, left(value ->> 'title', 300) as title, left(value ->> 'message', 5000) as message,
        value ->> 'emergency_country' as country, value ->> 'instruction_language' as instruction_language,
        case when value ? 'instruction_language' then value ->> 'instruction' end as instruction
      from jsonb_each(${texts}::jsonb)
    ),
    inbox as (
      insert into notifications (user_id, type, title, message, data, delivery_method, priority, status, sent_at,
        action_url, event_key, announcement_id)
      select r.user_id, ${row.kind}, w.title, w.message,
        jsonb_strip_nulls(jsonb_build_object('advisory_id', ${row.advisory_id}::text, 'reason', ${row.reason}::text,
          'country_code', w.country, 'instruction', w.instruction, 'instruction_language', w.instruction_language)),
        r.channels, ${row.priority}, 'sent', now(), ${row.action_url}, ${row.id}::text || ' ' || r.user_id, ${row.id}::uuid
      from (
        select user_id, min(language) as language,
          case count(*) when 2 then array['browser', 'in-app'] else array[min(channel)] end as channels
        from recipients where channel in ('in-app', 'browser')
          and user_id not in (select user_id from notifications where announcement_id = ${row.id} and user_id is not null)
        group by user_id
      ) r join content w on w.language = r.language
      returning 1
    ),
    outbox as (
      insert into messages (message_key, channel, user_id, template, language, announcement_id, subscription_id, kind,
        queue_priority, status)
      select ${row.id}::text || ' ' || user_id || ' ' || channel, channel, user_id, ${row.template}, language,
        ${row.id}::uuid, subscription_id, ${row.kind},
        case when ${queuePriority} = ${QUEUE_PRIORITY.normal} and size.recipients > ${BULK_SIZE} then ${QUEUE_PRIORITY.bulk} else ${queuePriority} end::smallint,
        case when is_digested and channel = 'email' and not ${isUrgent} then 'deferred' else 'pending' end
      from audience_size size, recipients where channel in ('email', 'sms', 'push', 'whatsapp')
        and (user_id, channel) not in
          (select user_id, channel from messages where announcement_id = ${row.id} and user_id is not null)
      returning 1
    )
    select (select recipients from audience_size) as recipients, (select count(*) from outbox)::int as messages,
      (select count(*) from inbox)::int as "inboxItems"`.execute(db)
  return firstOf(rows)
}

/**
 * Sets the last-notified date of each subscription used. Separate from the fan-out, so that recipients do not wait for
 * it.
 */
async function markNotified(db: Db, row: Row, unsent: readonly MessageChannel[]): Promise<void> {
  await sql`
    update advisory_subscriptions set last_notified_at = now()
    where id in (
      select subscription_id from messages where announcement_id = ${row.id} and channel <> all(${unsent}::text[])
      union
      select r.subscription_id from (${audienceQuery(row)}) r
      join notifications n on n.announcement_id = ${row.id} and n.user_id = r.user_id
      where r.channel in ('in-app', 'browser')
    )`.execute(db)
}
