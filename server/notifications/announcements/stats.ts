import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'

/** How long delivery rows are kept, and the period covered by the statistics. */
export const STATS_DAYS = 30

/**
 * Measures delivery times of advisories from the rows of the last days and stores the results for the public status
 * page. Scheduled, so that page views cause no counting in the database.
 */
export async function measureDeliveries(database: Database): Promise<void> {
  await inBackground(database, 'delivery_stats', async (db) => {
    await sql`delete from delivery_stats`.execute(db)
    await sql`
      with announced as (
        select id, coalesce(scheduled_for, created_at) as since, priority = 'urgent' as is_urgent
        from announcements
        where kind = 'advisory' and status = 'sent' and created_at > now() - make_interval(days => ${STATS_DAYS})
      ),
      scopes (scope, is_urgent) as (values ('urgent', true), ('all', false)),
      deliveries as (
        -- Recipients of a digest chose to wait, which says nothing about the speed of the portal.
        select s.scope, m.channel, m.status,
          case when m.digest_key is null then extract(epoch from m.sent_at - t.since) end as sent_after,
          extract(epoch from m.delivered_at - t.since) as arrived
        from announced t join scopes s on t.is_urgent or not s.is_urgent
        join messages m on m.announcement_id = t.id and m.created_at > now() - make_interval(days => ${STATS_DAYS + 1})
      ),
      counted as (
        select scope, coalesce(channel, 'all') as channel, count(*) as messages,
          count(*) filter (where status = 'recorded') as recorded,
          count(*) filter (where status in ('sent', 'delivered')) as sent,
          count(*) filter (where status = 'delivered') as delivered,
          count(*) filter (where status = 'failed') as failed,
          count(*) filter (where status in ('pending', 'deferred', 'sending')) as waiting,
          percentile_cont(array[0.5, 0.95]) within group (order by sent_after) as sent_after,
          percentile_cont(array[0.5, 0.95]) within group (order by arrived) as arrived
        from deliveries group by grouping sets ((scope, channel), (scope))
      )
      insert into delivery_stats (scope, channel, days, announcements, messages, recorded, sent, delivered,
        failed, waiting, sent_p50, sent_p95, delivered_p50, delivered_p95, measured_at)
      select s.scope, coalesce(c.channel, 'all'), ${STATS_DAYS},
        (select count(*) from announced t where t.is_urgent or not s.is_urgent),
        coalesce(messages, 0), coalesce(recorded, 0), coalesce(c.sent, 0), coalesce(delivered, 0),
        coalesce(failed, 0), coalesce(waiting, 0), sent_after[1], sent_after[2], arrived[1], arrived[2], now()
      from scopes s left join counted c on c.scope = s.scope`.execute(db)
  })
}
