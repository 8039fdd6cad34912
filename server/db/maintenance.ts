import { sql } from 'kysely'
import type { Log } from '#server/log.ts'
import { firstOf } from '#shared/assert.ts'
import type { Connections, Database, Embedded } from './connection.ts'

const MEGABYTE = 2 ** 20
const LOOK_EVERY_MS = 5_000
const CHECKPOINT_EVERY_MS = 5 * 60_000
/** WAL bytes that justify a checkpoint; beyond the second limit it runs at once. */
const WORTH_A_CHECKPOINT = 16 * MEGABYTE
const CHECKPOINT_AT_ONCE = 128 * MEGABYTE
/** Tables with more changed rows than this are not left until the night. */
const CHANGED_ROWS = 10_000

/**
 * Maintenance that PostgreSQL does in background processes and the single-process engine does not: checkpoints, to keep
 * the WAL short, and vacuuming heavily written tables. Also reports a full disk.
 */
export function startUpkeep(connections: Connections, embedded: Embedded, log: Log) {
  let isBusy = false
  let wasLow = false
  let checkpointAt = Date.now()
  let position: number | undefined

  async function look(): Promise<void> {
    const moved = await writtenSince(connections, position)
    position ??= moved.position
    const isDue = Date.now() - checkpointAt >= CHECKPOINT_EVERY_MS
    if (moved.bytes > CHECKPOINT_AT_ONCE || (isDue && moved.bytes > WORTH_A_CHECKPOINT)) await checkpoint()
    if (isDue) {
      checkpointAt = Date.now()
      await vacuum(connections, CHANGED_ROWS)
    }
  }

  async function checkpoint(): Promise<void> {
    await connections.pool.query('checkpoint')
    checkpointAt = Date.now()
    position = (await writtenSince(connections, undefined)).position
  }

  /** A checkpoint frees WAL that is no longer needed. */
  async function reportSpace(): Promise<void> {
    const isLow = embedded.space?.isLow ?? false
    if (isLow === wasLow) return
    wasLow = isLow
    if (!isLow) return log.info('there is room on the disk again: changes are taken')
    log.error('the disk is full: changes are refused with 503, pages go on. Free some room in DATA_DIR')
    await checkpoint()
  }

  async function turn(): Promise<void> {
    if (isBusy) return
    isBusy = true
    await reportSpace()
      .then(look)
      .catch((error: Error) => log.error({ reason: error.message }, 'the embedded database was not looked after'))
    isBusy = false
  }

  const timer = setInterval(turn, LOOK_EVERY_MS).unref()
  return { turn, stop: () => clearInterval(timer) }
}

/** WAL bytes written since a position, and the current position. */
async function writtenSince({ kysely }: Connections, position = 0): Promise<{ bytes: number; position: number }> {
  const { rows } = await sql<{ now: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as now`.execute(kysely)
  const now = firstOf(rows).now
  return { bytes: position === 0 ? 0 : now - position, position: now }
}

/** Vacuums tables with more changed rows than this, one at a time; other work gets its turn in between. */
export async function vacuum({ kysely }: Connections, changedRows: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where greatest(n_dead_tup, n_mod_since_analyze) > ${changedRows} order by 1`.execute(kysely)
  for (const { name } of rows) await sql`vacuum (analyze) ${sql.raw(name)}`.execute(kysely)
  return rows.map(({ name }) => name)
}

/** At night: every table with a significant number of changes. */
export async function vacuumAtNight(database: Database): Promise<void> {
  if (database.embedded) await vacuum(database.background, 100)
}
