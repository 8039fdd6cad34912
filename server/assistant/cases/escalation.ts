import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { notifyCaseHelpers } from './helper-notification.ts'

/** So long somebody has to take a case before others are told: danger and calls, and what only wants to be read. */
const WAIT_MINUTES = { urgent: 10, other: 24 * 60 }
const MAX_TIMES = 12
const AT_ONCE = 200

/**
 * Brings each case that nobody has taken before more people. Each in a transaction of its own; safe to run in several
 * places at once. Returns how many were brought on.
 */
export async function escalateCases(database: Database, now = new Date()): Promise<number> {
  const before = (minutes: number) => new Date(now.valueOf() - minutes * 60_000)
  let brought = 0
  for (;;) {
    const hasEscalated = await inBackground(database, 'assistant cases', async (db) => {
      const row = await db
        .selectFrom('assistant_cases')
        .selectAll()
        .where('status', '=', 'open')
        .where('escalations', '<', MAX_TIMES)
        .where((where) =>
          where.or([
            where('told_at', '<', before(WAIT_MINUTES.other)),
            where.and([where('kind', '<>', 'hand_over'), where('told_at', '<', before(WAIT_MINUTES.urgent))]),
          ]),
        )
        .orderBy('told_at')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (row) await notifyCaseHelpers(db, row, now)
      return Boolean(row)
    })
    if (!hasEscalated || ++brought >= AT_ONCE) return brought
  }
}
