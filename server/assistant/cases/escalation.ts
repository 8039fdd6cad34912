import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { notifyCaseHelpers } from './helper-notification.ts'

/** Time until an untaken case is escalated: danger and callback requests, and cases for review. */
export const WAIT_MINUTES = { urgent: 10, other: 24 * 60 }
const MAX_TIMES = 12
const AT_ONCE = 200

/**
 * Escalates each case that no coordinator has taken, in one transaction per case. Safe to run concurrently. Returns the
 * number escalated.
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
            where('notified_at', '<', before(WAIT_MINUTES.other)),
            where.and([where('kind', '<>', 'hand_over'), where('notified_at', '<', before(WAIT_MINUTES.urgent))]),
          ]),
        )
        .orderBy('notified_at')
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
