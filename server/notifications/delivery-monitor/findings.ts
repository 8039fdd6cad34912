import { sql } from 'kysely'
import { approvedSources } from '#server/advisories/approved-sources.ts'
import type { Db } from '#server/db/connection.ts'
import { removalOf } from '#shared/advisories/visibility.ts'

export const FAN_OUT_WITHIN_MINUTES = 2
export const SEND_WITHIN_MINUTES = 5
/** Older advisories were checked before or are past help. */
const LOOKS_BACK_DAYS = 7

/** A current fault: how many advisories, and the first of them by name. */
export interface Finding {
  cause: string
  count: number
  detail: string
}

/** Finds urgent advisories that were not delivered as expected; an empty list if there are none. */
export async function findFaults(db: Db): Promise<Finding[]> {
  return [...(await findLateFanOuts(db)), ...(await findUnsent(db)), ...(await findUnannounced(db))]
}

async function findLateFanOuts(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ title: string }>`
    select texts -> 'en' ->> 'title' as title from announcements
    where status = 'waiting' and kind = 'advisory' and priority = 'urgent'
      and coalesce(scheduled_for, created_at) < now() - make_interval(mins => ${FAN_OUT_WITHIN_MINUTES})
    order by created_at`.execute(db)
  return findingOf('not_fanned_out', rows)
}

/** One per channel. A fault followed by a later proof on the same channel is over. */
async function findUnsent(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ channel: string; title: string }>`
    select c.channel, a.texts -> 'en' ->> 'title' as title
    from delivery_monitor_checks c join announcements a on a.id = c.announcement_id
    where c.sent_at is null
      and a.created_at < now() - make_interval(mins => ${SEND_WITHIN_MINUTES})
      and a.created_at > now() - make_interval(days => ${LOOKS_BACK_DAYS})
      and not exists (select from delivery_monitor_checks later join announcements b on b.id = later.announcement_id
        where later.channel = c.channel and later.sent_at is not null and b.created_at > a.created_at)
    order by a.created_at`.execute(db)
  const byChannel = Map.groupBy(rows, ({ channel }) => channel)
  return [...byChannel].flatMap(([channel, list]) => findingOf(`not_sent_${channel}`, list))
}

/**
 * Urgent, public, notifiable advisories without an announcement, either of their own or of a duplicate from another
 * feed of the same authority, and without a pending or past decision of an administrator. Snapshots are excluded.
 */
async function findUnannounced(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ id: string; title: string; source_organization: string }>`
    select a.id, a.title, a.source_organization
    from travel_advisories a join advisory_sources s on s.id = a.source_id
    where a.is_active and a.status = 'actual' and a.auto_notify and (a.is_urgent or a.severity_level = 'emergency')
      and a.captured_on is null and coalesce(a.expiry_date > now(), true)
      and greatest(a.created_at, a.changed_at) between now() - make_interval(days => ${LOOKS_BACK_DAYS})
        and now() - make_interval(mins => ${FAN_OUT_WITHIN_MINUTES})
      and not exists (select from announcements n where n.advisory_id = a.id)
      and not exists (select from withheld_announcements w where w.advisory_id = a.id and w.advisory_version = a.version)
      and not exists (select from announcements n
        join travel_advisories b on b.id = n.advisory_id join advisory_sources t on t.id = b.source_id
        where t.authority = s.authority and b.country_codes <> '{}'
          and b.country_codes @> a.country_codes and b.country_codes <@ a.country_codes)
    order by a.created_at`.execute(db)
  const approved = await approvedSources(db)
  return findingOf(
    'not_announced',
    rows.filter((row) => removalOf(row, approved) === null),
  )
}

const NAMED = 3

function findingOf(cause: string, found: { title: string }[]): Finding[] {
  if (found.length === 0) return []
  const named = found.slice(0, NAMED).map(({ title }) => title.slice(0, 120))
  return [{ cause, count: found.length, detail: named.join('; ').slice(0, 500).toWellFormed() }]
}
