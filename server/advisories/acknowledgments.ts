import { sql } from 'kysely'
import type { Polled } from '../readmodel/model.ts'
import { noteRead } from '../readmodel/reads.ts'

export type Acknowledgments = ReturnType<typeof createAcknowledgments>

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
