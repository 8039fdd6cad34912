import { type RawBuilder, type Selectable, sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { AnnouncementsTable, Within } from '#server/db/tables-notifications.ts'
import { MANDATORY_TEMPLATES } from '#server/delivery/mandatory-templates.ts'
import { COVERS_COUNTRY, COVERS_TYPE } from '#server/delivery/subscription-coverage.ts'
import { type MessageChannel, QUEUE_PRIORITY, queuePriorityOf } from '#shared/delivery/kinds.ts'

type Row = Selectable<AnnouncementsTable>
/** The fields of an announcement that decide who receives it. */
export type Target = Pick<Row, 'kind' | 'template' | 'audience' | 'channels' | 'advisory_id'>

export interface FanOutResult {
  id: string
  people: number
  messages: number
  bells: number
}

/** First batch size of an urgent fan-out (user × channel). */
const FIRST = 300
/** An audience above this size is a bulk send, queued behind single messages unless urgent. */
const MASS = 500

/**
 * Turns every due announcement into outbox and inbox rows for each recipient, in one committed statement each. Safe to
 * run in several places at once, and again after a crash: an announcement is fanned out completely or still waits. An
 * urgent one starts with a first batch, so that the first messages are sent while the rows of a hundred thousand others
 * are written. `unsent`: channels without a provider, which reach nobody.
 */
export async function fanOutDue(database: Database, unsent: readonly MessageChannel[] = []): Promise<FanOutResult[]> {
  const results: (FanOutResult & { row: Row })[] = []
  await inBackground(database, 'announcements', giveBack)
  for (;;) {
    const first = await inBackground(database, 'announcements', fanOutFirstBatch)
    const next = await inBackground(database, 'announcements', fanOutNext)
    if (!next) break
    const { messages, bells } = first?.id === next.id ? first : { messages: 0, bells: 0 }
    results.push({ ...next, messages: next.messages + messages, bells: next.bells + bells })
  }
  // Done last, so that updating the subscriptions' dates does not delay any recipient.
  for (const { row } of results)
    if (row.kind === 'advisory')
      await inBackground(database, 'announcements', (db) => noteSubscriptions(db, row, unsent))
  return results.map(({ row: _, ...counts }) => counts)
}

const due = sql<boolean>`coalesce(scheduled_for, created_at) <= now()`

/**
 * Due announcements whose author's role has expired go back to draft, as when a role is revoked. Selects first: even an
 * update that matches nothing would notify the senders and wake this job again.
 */
async function giveBack(db: Db): Promise<void> {
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

async function fanOutFirstBatch(db: Db): Promise<FanOutResult | null> {
  const row = await db
    .selectFrom('announcements as n')
    .selectAll()
    .where('status', '=', 'waiting')
    .where('priority', '=', 'urgent')
    .where(due)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('messages').select('id').whereRef('announcement_id', '=', 'n.id'))),
    )
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row ? { id: row.id, ...(await fanOut(db, row, FIRST)) } : null
}

async function fanOutNext(db: Db): Promise<(FanOutResult & { row: Row }) | null> {
  const row = await db
    .selectFrom('announcements')
    .selectAll()
    .where('status', '=', 'waiting')
    .where(due)
    .orderBy(sql`priority = 'urgent'`, 'desc')
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return null
  const counts = await fanOut(db, row)
  await db
    .updateTable('announcements')
    .set({ status: 'told', told_at: sql<Date>`clock_timestamp()`, people: counts.people })
    .where('id', '=', row.id)
    .execute()
  return { id: row.id, ...counts, row }
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
  const { rows } = await sql<{ people: number; messages: number; bells: number }>`
    with readers as materialized (${readersOf(row, limit)}),
    mass as materialized (
      select count(*)::int as people from (select from readers where not is_stopped group by user_id) r
    ),
    words as materialized (
      select key as language, left(value ->> 'title', 300) as title, left(value ->> 'message', 5000) as message,
        value ->> 'emergency_country' as country, value ->> 'instruction_language' as instruction_language,
        case when value ? 'instruction_language' then value ->> 'instruction' end as instruction
      from jsonb_each(${texts}::jsonb)
    ),
    bells as (
      insert into notifications (user_id, type, title, message, data, delivery_method, priority, status, sent_at,
        action_url, event_key, announcement_id)
      select r.user_id, ${row.kind}, w.title, w.message,
        jsonb_strip_nulls(jsonb_build_object('advisory_id', ${row.advisory_id}::text, 'reason', ${row.reason}::text,
          'country_code', w.country, 'instruction', w.instruction, 'instruction_language', w.instruction_language)),
        r.ways, ${row.priority}, 'sent', now(), ${row.action_url}, ${row.id}::text || ' ' || r.user_id, ${row.id}::uuid
      from (
        select user_id, min(language) as language,
          case count(*) when 2 then array['browser', 'in-app'] else array[min(channel)] end as ways
        from readers where channel in ('in-app', 'browser')
          and user_id not in (select user_id from notifications where announcement_id = ${row.id} and user_id is not null)
        group by user_id
      ) r join words w on w.language = r.language
      returning 1
    ),
    outbox as (
      insert into messages (message_key, channel, user_id, template, language, announcement_id, subscription_id, kind,
        lane, status)
      select ${row.id}::text || ' ' || user_id || ' ' || channel, channel, user_id, ${row.template}, language,
        ${row.id}::uuid, subscription_id, ${row.kind},
        case when ${queuePriority} = ${QUEUE_PRIORITY.normal} and people > ${MASS} then ${QUEUE_PRIORITY.bulk} else ${queuePriority} end::smallint,
        case when is_digested and channel = 'email' and not ${isUrgent} then 'held' else 'pending' end
      from mass, readers where channel in ('email', 'sms', 'push', 'whatsapp')
        and (user_id, channel) not in
          (select user_id, channel from messages where announcement_id = ${row.id} and user_id is not null)
      returning 1
    )
    select (select people from mass) as people, (select count(*) from outbox)::int as messages,
      (select count(*) from bells)::int as bells`.execute(db)
  return rows[0]!
}

/**
 * Sets the last-notified date of each subscription used. Separate from the fan-out, so that recipients do not wait for
 * it.
 */
async function noteSubscriptions(db: Db, row: Row, unsent: readonly MessageChannel[]): Promise<void> {
  await sql`
    update advisory_subscriptions set last_notified_at = now()
    where id in (
      select subscription_id from messages where announcement_id = ${row.id} and channel <> all(${unsent}::text[])
      union
      select r.subscription_id from (${meantFor(row)}) r
      join notifications n on n.announcement_id = ${row.id} and n.user_id = r.user_id
      where r.channel in ('in-app', 'browser')
    )`.execute(db)
}

/** The intended recipients by intended channel, whether or not they are reachable. */
export const meantFor = (row: Target): RawBuilder<unknown> => (row.audience === null ? subscribed(row) : audience(row))

/**
 * Recipients with channel and language, once per channel. With a limit, an arbitrary subset. Suppressed addresses are
 * marked: their message is recorded with the reason and reaches nobody.
 */
export function readersOf(row: Target, limit?: number): RawBuilder<unknown> {
  const chosen = limit === undefined ? meantFor(row) : sql`${meantFor(row)} limit ${limit}`
  const wanted = MANDATORY_TEMPLATES.has(row.template)
    ? sql`true`
    : sql`coalesce((f.channels -> ${row.kind} ->> r.channel)::boolean, true)`
  return sql`
    select distinct on (p.id, r.channel) p.id as user_id, r.channel, r.subscription_id,
      case when coalesce(r.language, p.preferred_language) = 'ar' then 'ar' else 'en' end as language,
      ${row.kind} = 'advisory' and coalesce(f.digest, 'at_once') <> 'at_once' as is_digested,
      x.reason is not null as is_stopped
    from (${chosen}) r
    join user_profiles p on p.id = r.user_id and p.profile_status in ('active', 'pending')
    left join notification_preferences f on f.user_id = p.id
    left join stopped_addresses x on x.channel = r.channel
      and x.address = lower(case r.channel when 'email' then p.email else p.phone_number end)
    where ${wanted} and case r.channel
      when 'email' then p.email_verified or p.auth_provider <> 'mcgi-hub'
      when 'sms' then p.phone_number is not null and not coalesce(f.sms_opt_out, false)
      when 'whatsapp' then p.phone_number is not null
      when 'push' then exists (select from push_subscriptions s where s.user_id = p.id)
      else true end
    order by p.id, r.channel, r.subscription_id`
}

/** Those whose subscription covers the advisory in its current state. */
const subscribed = (row: Target) => sql`
  select s.user_id, channel, s.id as subscription_id, s.language
  from travel_advisories a
  join advisory_subscriptions s on s.active and a.severity_level = any(s.severity_levels)
    and ${COVERS_COUNTRY} and ${COVERS_TYPE}
    and (a.is_urgent or not s.urgent_only)
  cross join unnest(s.channels) channel
  where a.id = ${row.advisory_id}`

/** A selected audience, over the channels selected for it. */
function audience({ audience: criteria, channels }: Target): RawBuilder<unknown> {
  const { roles, countries, chapters, users, within } = criteria ?? {}
  const conditions = [
    roles && sql`p.role = any(${roles}::text[])`,
    countries && sql`(p.country_code = any(${countries}::text[]) or p.countries && ${countries}::text[])`,
    chapters && sql`p.chapter_id = any(${chapters}::uuid[])`,
    users && sql`p.id = any(${users}::uuid[])`,
    within && lookedAfter(within),
  ].filter((condition) => condition !== undefined)
  return sql`
    select p.id as user_id, channel, null::uuid as subscription_id, null::text as language
    from user_profiles p cross join unnest(${channels ?? []}::text[]) channel
    where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`false`}`
}

/** Whom a coordinator may notify: travelers and members within the scope, as in the policy profiles_coordinator. */
export const lookedAfter = ({ everywhere = false, countries = [], chapters = [] }: Within) => sql<boolean>`(
  p.role in ('traveler', 'member') and (${everywhere}::boolean or p.country_code = any(${countries}::text[])
    or p.countries && ${countries}::text[] or p.chapter_id = any(${chapters}::uuid[])))`
