import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { DeliveryDay } from '#shared/overview/endpoints.ts'

const DAYS = 7
/** The page asks every 20 seconds, and there may be a million messages to count. */
const CACHED_MS = 60_000

/** Messages of the last days by day, counted at most once a minute in each process. */
export function createDeliveryDays() {
  let cached: { until: number; zone: string; days: Promise<DeliveryDay[]> } | undefined
  return (database: Database, now: Date, zone: string): Promise<DeliveryDay[]> => {
    if (!cached || cached.until <= now.valueOf() || cached.zone !== zone) {
      const days = inBackground(database, 'overview', (db) => countDays(db, now, zone))
      cached = { until: now.valueOf() + CACHED_MS, zone, days }
      days.catch(() => (cached = undefined))
    }
    return cached.days
  }
}

/** By day of the portal's time zone, the oldest first; today last, and days without messages too. */
export async function countDays(db: Db, now: Date, zone: string): Promise<DeliveryDay[]> {
  const { rows } = await sql<DeliveryDay>`
    with days as (select generate_series(0, ${DAYS - 1}) as back),
    bounds as (select ((${now}::timestamptz at time zone ${zone})::date - back) as day from days),
    counted as (select (m.created_at at time zone ${zone})::date as day,
        count(*) filter (where status in ('sent', 'delivered'))::int as delivered,
        count(*) filter (where status = 'failed')::int as failed,
        count(*) filter (where status = 'recorded')::int as recorded
      from messages m
      where m.created_at >= (select min(day) from bounds)::timestamp at time zone ${zone} and m.created_at <= ${now}
      group by 1)
    select b.day::text as day, coalesce(c.delivered, 0) as delivered, coalesce(c.failed, 0) as failed,
      coalesce(c.recorded, 0) as recorded
    from bounds b left join counted c on c.day = b.day order by b.day`.execute(db)
  return rows
}
