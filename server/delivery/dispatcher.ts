import { MESSAGE_CHANNELS } from '#shared/delivery/kinds.ts'
import { createChannelWorker } from './channel-worker.ts'
import type { Channels } from './channels.ts'
import { createLeaseRenewal } from './leases.ts'
import { createResultWriter } from './record-results.ts'
import { createSendContext, type SendContextDeps } from './send-context.ts'

export interface DispatcherDeps extends SendContextDeps {
  channels: Channels
}

export type Dispatcher = ReturnType<typeof createDispatcher>

/**
 * Sends messages that are due. Safe to run in several places at once: batches are leased, and no database connection is
 * held while sending. If a process dies between sending and recording the result, the message is sent again under the
 * same key; none is lost.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { database, channels, log, rules } = deps
  let isStopping = false
  const workerDeps = {
    ...{ database, channels, log, skipReason: rules.skipReason, isStopping: () => isStopping },
    loadContext: createSendContext(deps),
    leases: createLeaseRenewal(database, log),
    resultWriter: createResultWriter(database, channels),
  }
  const workers = MESSAGE_CHANNELS.map((channel) => createChannelWorker(channel, workerDeps))
  const leasedCount = () => workers.reduce((sum, worker) => sum + worker.leasedCount(), 0)

  /** Looks for due messages unless a search is already running. */
  function wake(): void {
    for (const worker of workers) worker.wake()
  }

  /** Resolves when no message is leased. */
  async function drain(): Promise<void> {
    for (;;) {
      const running = workers.flatMap((worker) => [...worker.running])
      if (running.length === 0) return
      await Promise.all(running)
    }
  }

  return {
    wake,

    /** Sends due messages until none are left or the provider is unreachable; returns how many were leased. */
    async sendDue(): Promise<number> {
      const before = leasedCount()
      wake()
      await drain()
      return leasedCount() - before
    },

    /** Stops leasing and finishes the current batches. */
    async stop(): Promise<void> {
      isStopping = true
      await drain()
    },
  }
}
