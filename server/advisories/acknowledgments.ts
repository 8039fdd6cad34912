import { sql } from 'kysely'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { noteRead } from '#server/db/read-tracking.ts'
import type { PolledTable } from '#server/readmodel/model.ts'
import { firstOf } from '#shared/assert.ts'

export type Acknowledgments = ReturnType<typeof createAcknowledgments>

/** A user acknowledged the version of an advisory that was shown. */
export interface Acknowledgment {
  advisory_id: string
  user_id: string
  version: number
  acknowledged_at: Date
}

/**
 * Inserts acknowledgments of many users in one statement, with the portal's rights: `user_id` must come from each
 * caller's session. One row per user: acknowledging a newer version updates the date, not the count.
 */
export async function saveAcknowledgments(database: Database, items: Acknowledgment[]): Promise<undefined[]> {
  const latest = new Map(items.map((item) => [`${item.advisory_id} ${item.user_id}`, item]))
  await withClaims(database, { as: 'service', name: 'acknowledgments' }, (db) =>
    db
      .insertInto(TABLE)
      .values([...latest.values()])
      .onConflict((conflict) =>
        conflict.columns(['advisory_id', 'user_id']).doUpdateSet({
          version: (eb) => eb.ref('excluded.version'),
          acknowledged_at: (eb) => eb.ref('excluded.acknowledged_at'),
          recorded_at: sql<Date>`now()`,
        }),
      )
      .execute(),
  )
  return items.map(() => undefined)
}

interface AcknowledgmentCount {
  count: number
  latest: string
}

const TABLE = 'advisory_acknowledgments'
/** Longer than any acknowledging transaction may take, so late commits are still counted. */
const OVERLAP_SECONDS = 60

/**
 * In-memory acknowledgment counts per advisory. After an urgent advisory a thousand users may acknowledge per second,
 * so counts are refreshed every few seconds rather than on every acknowledgment.
 */
export function createAcknowledgments() {
  const counts = new Map<string, AcknowledgmentCount>()
  let since: Date | null = null
  const polled: PolledTable = {
    table: TABLE,
    async poll(db) {
      const { rows } = await sql<{ id: string; count: number; latest: Date }>`
        select advisory_id as id, count(*) as count, max(acknowledged_at) as latest from ${sql.table(TABLE)}
        where ${since}::timestamptz is null or advisory_id in (
          select advisory_id from ${sql.table(TABLE)}
          where recorded_at > ${since}::timestamptz - make_interval(secs => ${OVERLAP_SECONDS}))
        group by advisory_id`.execute(db)
      const clock = await sql<{ now: Date }>`select now() as now`.execute(db)
      since = firstOf(clock.rows).now
      const changed: string[] = []
      for (const { id, count, latest } of rows) {
        const known = counts.get(id)
        const counted = { count: Number(count), latest: latest.toISOString() }
        if (known?.count === counted.count && known.latest === counted.latest) continue
        counts.set(id, counted)
        changed.push(id)
      }
      return changed
    },
  }
  return {
    polled,
    /** Count of one advisory. A response built from it depends on this advisory's count only. */
    of(id: string): AcknowledgmentCount | undefined {
      noteRead(`${TABLE}:${id}`)
      return counts.get(id)
    },
  }
}
