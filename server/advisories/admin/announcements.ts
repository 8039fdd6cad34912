import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { advisoryAnnouncement } from '#server/notifications/advisory-changes/announce.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { estimateRecipients } from '#server/notifications/announcements/reach.ts'
import type { AdvisoryAnnouncement, DeliveryState, Readers } from '#shared/advisories/announcements.ts'
import { present } from '#shared/assert.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import type { NewAdvisoryRow } from '../advisory-row.ts'
import { isInForce } from '../state.ts'
import { notFound } from './advisory-detail.ts'
import type { WriteContext } from './mutations.ts'

const SHOWN = 20

/** Announcements of an advisory, newest first, with their delivery results and the current audience. */
export async function announcementsOf(db: Db, id: string, now: Date) {
  const advisory = await db.selectFrom('travel_advisories').selectAll().where('id', '=', id).executeTakeFirst()
  if (!advisory) throw notFound()
  // Deliveries and other users' preferences are readable by the portal only; here they are only counted.
  return asPortal(db, async () => ({
    announcements: await findAnnouncements(db, id),
    readers: await countSubscribers(db, { advisory_id: id }),
    may_notify: isInForce(advisory, now),
    times: await countManualNotifications(db, id),
  }))
}

/** Subscribers whom an advisory covers, saved or not. In a transaction of the service. */
export async function countSubscribers(
  db: Db,
  of: { advisory_id: string } | { advisory: NewAdvisoryRow },
): Promise<Readers> {
  const target = { kind: 'advisory', template: 'advisory', advisory_id: null, audience: null, channels: null } as const
  const { people, channels } = await estimateRecipients(db, { ...target, ...of })
  return { people, channels: Object.fromEntries(channels.map(({ channel, people }) => [channel, people])) }
}

async function findAnnouncements(db: Db, id: string): Promise<AdvisoryAnnouncement[]> {
  const rows = await db
    .selectFrom('announcements as a')
    .leftJoin('user_profiles as p', 'p.id', 'a.created_by')
    .select(['a.id', 'a.reason', 'a.advisory_version as version', 'a.priority', 'a.status'])
    .select(['a.created_at', 'a.sent_at', 'a.recipient_count as people', 'p.display_name as by'])
    .select((eb) =>
      eb
        .selectFrom('notifications')
        .whereRef('announcement_id', '=', 'a.id')
        .select(sql<number>`count(*)::int`.as('n'))
        .as('bells'),
    )
    .where('a.advisory_id', '=', id)
    .orderBy('a.created_at', 'desc')
    .limit(SHOWN)
    .execute()
  const deliveries = await countDeliveries(
    db,
    rows.map((row) => row.id),
  )
  return rows.map(({ reason, version, sent_at, ...row }) => ({
    ...row,
    reason: present(reason, 'the reason of an announcement about an advisory'),
    version: present(version, 'its version'),
    bells: row.bells ?? 0,
    created_at: row.created_at.toISOString(),
    told_at: sent_at?.toISOString() ?? null,
    deliveries: deliveries.get(row.id) ?? {},
  }))
}

type Deliveries = Partial<Record<MessageChannel, Record<DeliveryState, number>>>

/** Counts existing rows plus those counted when they were pruned. */
async function countDeliveries(db: Db, ids: string[]): Promise<Map<string, Deliveries>> {
  const { rows } = await sql<{ id: string; channel: MessageChannel; state: DeliveryState; n: number }>`
    select id, channel, case
        when status in ('pending', 'deferred', 'sending') then 'waiting'
        when status in ('dropped', 'cancelled') then 'dropped'
        else status end as state, sum(n)::int as n
    from (
      select announcement_id as id, channel, status, count(*) as n from messages
        where announcement_id = any(${ids}::uuid[]) group by 1, 2, 3
      union all
      select announcement_id, channel, status, messages from announcement_stats
        where announcement_id = any(${ids}::uuid[])
    ) counted
    group by 1, 2, 3`.execute(db)
  const found = new Map<string, Deliveries>()
  for (const { id, channel, state, n } of rows) {
    const deliveries = found.get(id) ?? {}
    deliveries[channel] = { ...(deliveries[channel] ?? NOTHING), [state]: n }
    found.set(id, deliveries)
  }
  return found
}

const NOTHING: Record<DeliveryState, number> = { waiting: 0, recorded: 0, sent: 0, delivered: 0, failed: 0, dropped: 0 }

async function countManualNotifications(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('announcements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('advisory_id', '=', id)
    .where('reason', '=', 'manual')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Notifies subscribers although nothing changed. Idempotent for the same expected number of announcements. */
export async function notifySubscribers(
  db: Db,
  id: string,
  { times, reason }: { times: number; reason: string },
  writing: WriteContext,
): Promise<string> {
  const advisory = await db
    .selectFrom('travel_advisories')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!advisory) throw notFound()
  if (!isInForce(advisory, writing.now))
    throw new AppError(409, 'not_in_force', 'This advisory is not in force, so you cannot announce it.')
  const key = `advisory ${id} by hand ${times + 1}`
  const isKnown = await asPortal(db, () =>
    db.selectFrom('announcements').select('id').where('announcement_key', '=', key).executeTakeFirst(),
  )
  if (isKnown) return isKnown.id
  const change = { id, before: null, after: advisory, reason: 'manual', key } as const
  const content = advisoryAnnouncement(change, writing.countries)
  const announcement = await asPortal(db, () => announce(db, { ...content, createdBy: writing.by.id }))
  await audit(db, writing.by, {
    action: 'advisory.notify',
    subject_type: 'travel_advisory',
    subject_id: id,
    after: { announcement, version: advisory.version, times: times + 1 },
    reason,
  })
  return announcement
}
