import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { firstOf } from '#shared/assert.ts'

/**
 * Delivery statistics: how many messages were sent and how many arrived (001 §3). In a transaction of the service,
 * which may count messages.
 */
export async function systemStats(db: Db, zone: string) {
  const { rows } = await sql<{
    total: number
    today: number
    pending: number
    failed: number
    good: number
    recorded: number
  }>`
    with told as (
      select status, coalesce(sent_at, created_at) as at from notifications
      union all
      select case when status in ('sending', 'deferred') then 'pending' else status end, coalesce(sent_at, created_at)
      from messages
    )
    select count(*)::int as total,
      (count(*) filter (where status in ('sent', 'delivered')
        and at >= date_trunc('day', now() at time zone ${zone}) at time zone ${zone}))::int as today,
      (count(*) filter (where status in ('pending', 'scheduled')))::int as pending,
      (count(*) filter (where status = 'failed'))::int as failed,
      (count(*) filter (where status = 'recorded'))::int as recorded,
      (count(*) filter (where status in ('sent', 'delivered')))::int as good
    from told`.execute(db)
  const { total, today, pending, failed, good, recorded } = firstOf(rows)
  return {
    totalNotifications: total,
    sentToday: today,
    pendingNotifications: pending,
    failedDeliveries: failed,
    recordedNotifications: recorded,
    deliveryRate: good + failed === 0 ? 0 : Math.round((1000 * good) / (good + failed)) / 10,
  }
}
