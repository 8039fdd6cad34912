import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { applyUnmatchedEvents } from './delivery-events.ts'
import { createSending, type DispatcherDeps } from './dispatcher.ts'

/** Polling interval, for missed notifications and messages that become due. */
const LOOK_MS = 3_000
const STOP_WITHIN_MS = 3_000

/**
 * Fans out announcements and sends waiting messages: on each commit notification, and every few seconds. Any number of
 * processes may run it in parallel.
 */
export async function startSender(deps: DispatcherDeps) {
  const { database, log } = deps
  const sending = createSending(deps)
  let isStopping = false
  const once = (what: string, fn: () => Promise<unknown>) => {
    let running: Promise<unknown> | undefined
    let again = false
    const run = (): void => {
      if (isStopping) return
      again = running !== undefined
      running ??= fn()
        .catch((error: Error) => log.error({ reason: error.message }, what))
        .finally(() => {
          running = undefined
          if (again) run()
        })
    }
    return run
  }
  const fanOut = once('announcements could not be told', () => fanOutDue(database, deps.channels.unsent))
  const receive = once('early receipts could not be counted in', () => applyUnmatchedEvents(database))
  const look = () => {
    fanOut()
    sending.wake()
    receive()
  }

  if (database.engine === 'pglite') await takeUpAgain(database)
  await database.listen('messages', (table) => {
    if (isStopping) return
    // Without a table name: a notification may have been missed.
    if (table !== 'messages') fanOut()
    if (table !== 'announcements') sending.wake()
  })
  const timer = setInterval(look, LOOK_MS)
  look()
  return {
    /** Finishes leased messages; those that cannot finish in time are taken over when their lease expires. */
    async stop(): Promise<void> {
      isStopping = true
      clearInterval(timer)
      await Promise.race([sending.stop(), new Promise((late) => setTimeout(late, STOP_WITHIN_MS).unref())])
    },
  }
}

/** Only this process uses the embedded database, so leases found in it belong to a process that died. */
async function takeUpAgain(database: Database): Promise<void> {
  await inBackground(database, 'messages', (db) =>
    db.updateTable('messages').set({ in_hand_until: null }).where('in_hand_until', 'is not', null).execute(),
  )
}
