import type { QueueRow } from '#shared/overview/queue.ts'

/** A row with its place in the queue: the lower the rank the worse; within one, the longest waiting first. */
export type RankedRow = QueueRow & { rank: number }

/** A flood of calls explains the rows below it. */
export const BURST_RANK = 1
/** Calls that nobody has taken, by how well the person can be reached (1 to 5). */
export const TAKE_RANK = 10
/** Urgent advisories that did not go out. */
export const ALARM_RANK = 20
/** People who have not said whether they are safe. */
export const SILENT_RANK = 25
/** Calls that someone handles, by the same tiers. */
export const OWNED_RANK = 30

/** Other work: first what waits longer than it may. */
export const taskRank = (is_late: boolean): number => (is_late ? 40 : 50)

type Ordered = Pick<RankedRow, 'rank' | 'since'> & { id: string | null; user_id: string | null }

/** Worst first, then longest waiting; of unknown age last. */
export function byRank(a: Ordered, b: Ordered): number {
  const age = ({ since }: Ordered) => (since ? Date.parse(since) : Number.POSITIVE_INFINITY)
  if (a.rank !== b.rank) return a.rank - b.rank
  if (age(a) !== age(b)) return age(a) < age(b) ? -1 : 1
  const key = ({ id, user_id }: Ordered) => `${id} ${user_id}`
  return key(a) < key(b) ? -1 : 1
}
