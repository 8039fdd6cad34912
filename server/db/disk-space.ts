import { statfsSync } from 'node:fs'
import type pg from 'pg'

/** Writes are refused below this: the engine would break on a full disk, and closing it well needs some room. */
export const RESERVE_BYTES = 64 * 2 ** 20
const LOOK_EVERY_MS = 200

/** Bytes that may still be written where a folder lies. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export type Space = ReturnType<typeof guardSpace>

/** What the guard needs of the engine. `run` executes at once; between two turns of the loop no statement is half done. */
interface Session {
  isInTransaction(): boolean
  run(statement: string): void
}

/**
 * Keeps the engine from meeting a full disk: while less than the reserve is free, every transaction on the pool's one
 * session is read-only, the one that is open included. `measure` gives the free bytes.
 */
export function guardSpace(pool: pg.Pool, session: Session, measure: () => number) {
  let isArmed = false
  let isLow = false
  let isSet = false
  let lookedAt = 0

  function look() {
    lookedAt = Date.now()
    isLow = isArmed && measure() < RESERVE_BYTES
  }
  // Before the first statement of whoever takes the session.
  pool.on('acquire', () => {
    if (Date.now() - lookedAt >= LOOK_EVERY_MS) look()
    if (isLow === isSet) return
    session.run(`set default_transaction_read_only = ${isLow ? 'on' : 'off'}`)
    isSet = isLow
  })
  const timer = setInterval(() => {
    look()
    if (isLow && session.isInTransaction()) session.run('set transaction_read_only = on')
  }, LOOK_EVERY_MS).unref()

  return {
    /** Starts to refuse writes where there is no room: a start itself needs to write a little. */
    arm() {
      isArmed = true
      look()
    },
    /** True while writes are refused. */
    get isLow() {
      return isLow
    },
    stop: () => clearInterval(timer),
  }
}
