import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { applyUnmatchedEvents } from './delivery-events.ts'
import { createDispatcher, type DispatcherDeps } from './dispatcher.ts'

export interface DeliveryServiceDeps extends DispatcherDeps {
  /** Turns announcements that are due into messages; handed in, since delivery knows nothing of announcements. */
  fanOut: () => Promise<unknown>
}

/** Polling interval, for missed notifications and messages that become due. */
const LOOK_MS = 3_000
const STOP_WITHIN_MS = 3_000

/**
 * Fans out announcements and sends waiting messages: on each commit notification, and every few seconds. Any number of
 * processes may run it in parallel.
 */
export async function startDeliveryService(deps: DeliveryServiceDeps) {
  const { database, log } = deps
  const dispatcher = createDispatcher(deps)
  let isStopping = false
  /** One run at a time; a call during a run causes another one after it. */
  const single = (what: string, fn: () => Promise<unknown>) => {
    let isRunning = false
    let again = false
    return async (): Promise<void> => {
      again = true
      if (isRunning) return
      isRunning = true
      while (again && !isStopping) {
        again = false
        await fn().catch((error: Error) => log.error({ reason: error.message }, what))
      }
      isRunning = false
    }
  }
  const fanOut = single('announcements could not be fanned out', deps.fanOut)
  const applyEvents = single('delivery events could not be applied', () => applyUnmatchedEvents(database))
  const look = () => {
    void fanOut()
    dispatcher.wake()
    void applyEvents()
  }

  if (database.engine === 'pglite') await releaseLeases(database)
  await database.listen('messages', (table) => {
    if (isStopping) return
    // Without a table name: a notification may have been missed.
    if (table !== 'messages') void fanOut()
    if (table !== 'announcements') dispatcher.wake()
  })
  const timer = setInterval(look, LOOK_MS)
  look()
  return {
    /** Finishes leased messages; those that cannot finish in time are taken over when their lease expires. */
    async stop(): Promise<void> {
      isStopping = true
      clearInterval(timer)
      await Promise.race([dispatcher.stop(), new Promise((late) => setTimeout(late, STOP_WITHIN_MS).unref())])
    },
  }
}

/** Only this process uses the embedded database, so leases found in it belong to a process that died. */
async function releaseLeases(database: Database): Promise<void> {
  await inBackground(database, 'messages', (db) =>
    db.updateTable('messages').set({ leased_until: null }).where('leased_until', 'is not', null).execute(),
  )
}
