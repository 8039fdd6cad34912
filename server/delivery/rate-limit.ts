import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { SkipResult } from './delivery-result.ts'
import type { LeasedMessage } from './leases.ts'

/** Hourly limit per number; networks block numbers that get more, and repeated texts sooner. */
const MAX_AN_HOUR = 100
const MAX_OF_THE_SAME = 20
const AGAIN_AFTER_MS = 600_000
const REASON = 'This number has reached its hourly limit for text messages'

export interface RateLimiter {
  /** Counts one more message to the number, or defers it. */
  take(message: LeasedMessage, number: string, now: Date): SkipResult | null
}

/** Limits text messages per number: counts those of the last hour plus the current batch. */
export async function createRateLimiter(database: Database, batch: readonly LeasedMessage[]): Promise<RateLimiter> {
  const counts = new Map<string, number>()
  const texts = batch.filter(({ channel }) => channel === 'sms')
  const numbers = texts.flatMap(({ recipient, phone }) => [recipient, phone].filter((number) => number !== null))
  const rows = numbers.length > 0 ? await sentWithinTheHour(database, numbers) : []
  for (const { recipient, content_key, sent } of rows) {
    counts.set(recipient, (counts.get(recipient) ?? 0) + sent)
    counts.set(`${recipient} ${content_key}`, sent)
  }
  return {
    take(message, number, now) {
      const same = `${number} ${message.announcement_id ?? message.body_text}`
      const [all, alike] = [counts.get(number) ?? 0, counts.get(same) ?? 0]
      if (all >= MAX_AN_HOUR || alike >= MAX_OF_THE_SAME)
        return { status: 'later', at: new Date(now.valueOf() + AGAIN_AFTER_MS), reason: REASON }
      counts.set(number, all + 1).set(same, alike + 1)
      return null
    },
  }
}

async function sentWithinTheHour(database: Database, numbers: string[]) {
  const { rows } = await inBackground(database, 'messages', (db) =>
    sql<{ recipient: string; content_key: string; sent: number }>`
      select recipient, coalesce(announcement_id::text, body_text) as content_key, count(*)::int as sent
      from messages
      where channel = 'sms' and lower(recipient) = any(${numbers}) and created_at > now() - interval '7 days'
        and sent_at > now() - interval '1 hour'
      group by 1, 2`.execute(db),
  )
  return rows
}
