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

  const running = new Set<Promise<void>>()

  /** Looks for due messages on every channel. */
  function wake(): void {
    for (const { work } of workers) {
      const run = work().finally(() => running.delete(run))
      running.add(run)
    }
  }

  /** Resolves when no message is leased. */
  async function drain(): Promise<void> {
    while (running.size > 0) await Promise.all(running)
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
