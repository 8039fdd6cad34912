import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { type Claimed, IS_LEASED, LEASE_SECONDS } from './leases.ts'

const AGAIN_MS = (LEASE_SECONDS * 1000) / 3

/** Leases of this process, renewed for as long as they are in use. */
export function createLeases(database: Database, log: Log) {
  const attemptsById = new Map<string, number>()
  let batches = 0
  let timer: NodeJS.Timeout | undefined

  const renew = () =>
    inBackground(database, 'messages', (db) =>
      sql`update messages m set in_hand_until = now() + make_interval(secs => ${LEASE_SECONDS})
        from jsonb_each_text(${JSON.stringify(Object.fromEntries(attemptsById))}::jsonb) h
        where m.id = h.key::uuid and m.attempts = h.value::int and ${IS_LEASED}`.execute(db),
    ).catch((error: Error) => log.warn({ reason: error.message }, 'messages in hand could not be held any longer'))

  return {
    /** Renews these leases until the returned function is called or they are released. */
    take(claimed: Claimed[]): () => void {
      for (const { id, attempts } of claimed) attemptsById.set(id, attempts)
      batches++
      timer ??= setInterval(() => attemptsById.size > 0 && void renew(), AGAIN_MS).unref()
      return () => {
        for (const message of claimed) attemptsById.delete(message.id)
        batches--
        if (batches > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    let: (message: Claimed) => void attemptsById.delete(message.id),
  }
}
