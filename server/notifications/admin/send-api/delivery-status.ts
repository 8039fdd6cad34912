import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'

/**
 * Records the delivery results of notifications that are not shown in the portal: sent with the first message that was
 * sent; failed once all of their messages are finished and none was. Older messages are deleted and counted.
 */
export async function recordDeliveryStatus(database: Database): Promise<void> {
  await inBackground(database, 'notifications', (db) =>
    sql`
      with finished as (
        select n.id, m.sent_at, coalesce(m.has_sent, false) or coalesce(f.has_sent, false) as has_sent,
          coalesce(m.is_waiting, false) as is_waiting
        from notifications n
        join announcements a on a.announcement_key = 'notification ' || n.id and a.status in ('sent', 'cancelled')
        left join lateral (
          select min(sent_at) as sent_at, bool_or(status in ('sent', 'delivered')) as has_sent,
            bool_or(status in ('pending', 'deferred', 'sending')) as is_waiting
          from messages where announcement_id = a.id
        ) m on true
        left join lateral (
          select bool_or(status in ('sent', 'delivered')) as has_sent
          from announcement_stats where announcement_id = a.id
        ) f on true
        where n.status = 'pending'
      )
      update notifications n set status = case when has_sent then 'sent' else 'failed' end,
        sent_at = case when has_sent then coalesce(d.sent_at, now()) end
      from finished d where d.id = n.id and n.status = 'pending' and (has_sent or not is_waiting)`.execute(db),
  )
}
