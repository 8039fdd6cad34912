import { sql } from 'kysely'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Polled } from '#server/readmodel/model.ts'
import { noteRead } from '#server/readmodel/read-tracking.ts'

export type Acknowledgments = ReturnType<typeof createAcknowledgments>

/** That somebody has read an advisory, in the version that was shown. */
export interface Acknowledgment {
  advisory_id: string
  user_id: string
  version: number
  acknowledged_at: Date
}

/**
 * Writes what many people acknowledged in the same moment, as the portal: `user_id` must be that of each caller's session.
 * Once a person: reading a newer version moves the date, not the count.
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

interface Counted {
  count: number
  latest: string
}

const TABLE = 'advisory_acknowledgments'
/** Longer than any transaction that acknowledges may take: what commits late is still seen. */
const OVERLAP_SECONDS = 60

/**
 * How often each advisory was acknowledged, in memory. After an urgent advisory a thousand people acknowledge in a
 * second, so the counts are read anew every few seconds and not with every acknowledgment.
 */
export function createAcknowledgments() {
  const counts = new Map<string, Counted>()
  let since: Date | null = null
  const polled: Polled = {
    table: TABLE,
    async poll(db) {
      const { rows } = await sql<{ id: string; count: number; latest: Date }>`
        select advisory_id as id, count(*) as count, max(acknowledged_at) as latest from ${sql.table(TABLE)}
        where ${since}::timestamptz is null or advisory_id in (
          select advisory_id from ${sql.table(TABLE)}
          where recorded_at > ${since}::timestamptz - make_interval(secs => ${OVERLAP_SECONDS}))
        group by advisory_id`.execute(db)
      const clock = await sql<{ now: Date }>`select now() as now`.execute(db)
      since = clock.rows[0]!.now
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
    /** Of one advisory; an answer made of it rests on this advisory's count alone. */
    of(id: string): Counted | undefined {
      noteRead(`${TABLE}:${id}`)
      return counts.get(id)
    },
  }
}
