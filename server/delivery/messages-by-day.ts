import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { Db } from '#server/db/connection.ts'

const DAYS = 7

export interface DayOfMessages {
  day: string
  sent: number
  failed: number
  recorded: number
}

/** Messages created on each of the last seven days in a time zone, today last. */
export async function messagesByDay(db: Db, { now, zone }: { now: Date; zone: string }): Promise<DayOfMessages[]> {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  const days = Array.from({ length: DAYS }, (_, i) => today.subtract({ days: DAYS - 1 - i }))
  const start = new Date(days[0]!.toZonedDateTime(zone).epochMilliseconds)
  const rows = await db
    .selectFrom('messages')
    .select([
      sql<string>`to_char(created_at at time zone ${zone}::text, 'YYYY-MM-DD')`.as('day'),
      sql<number>`count(*) filter (where status in ('sent', 'delivered'))::int`.as('sent'),
      sql<number>`count(*) filter (where status = 'failed')::int`.as('failed'),
      sql<number>`count(*) filter (where status = 'recorded')::int`.as('recorded'),
    ])
    .where('created_at', '>=', start)
    .groupBy(sql`1`)
    .execute()
  const found = new Map(rows.map((row) => [row.day, row]))
  return days.map((date) => {
    const day = date.toString()
    return found.get(day) ?? { day, sent: 0, failed: 0, recorded: 0 }
  })
}
