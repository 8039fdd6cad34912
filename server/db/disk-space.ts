import { statfsSync } from 'node:fs'
import type pg from 'pg'

/** Writes are refused below this: the engine would break on a full disk, and a clean shutdown needs some room. */
export const RESERVE_BYTES = 64 * 2 ** 20
const LOOK_EVERY_MS = 200

/** Free bytes on the file system of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export type Space = ReturnType<typeof guardSpace>

/**
 * Engine access for the guard. `run` executes synchronously; between two turns of the event loop no statement is half
 * done.
 */
interface Session {
  isInTransaction(): boolean
  run(statement: string): void
}

/**
 * Protects the engine from a full disk: while less than the reserve is free, every transaction on the pool's one
 * session is read-only, including the open one. `measure` returns the free bytes.
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
  // Before the next user's first statement.
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
    /** Starts refusing writes when space is low: start-up itself needs to write a little. */
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
