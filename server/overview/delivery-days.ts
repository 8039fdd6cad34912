import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { type DayOfMessages, messagesByDay } from '#server/delivery/messages-by-day.ts'

/** The page asks every 20 seconds, and there may be a million messages to count. */
const CACHED_MS = 60_000

/** Messages of the last days by day, counted at most once a minute in each process. */
export function createDeliveryDays() {
  let cached: { until: number; zone: string; days: Promise<DayOfMessages[]> } | undefined
  return (database: Database, now: Date, zone: string): Promise<DayOfMessages[]> => {
    if (!cached || cached.until <= now.valueOf() || cached.zone !== zone) {
      const days = inBackground(database, 'overview', (db) => messagesByDay(db, { now, zone }))
      cached = { until: now.valueOf() + CACHED_MS, zone, days }
      days.catch(() => (cached = undefined))
    }
    return cached.days
  }
}
