import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { type MessageChannel, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Channels } from './channels.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { DeliveryError, type DeliveryResult, type SkipResult } from './delivery-result.ts'
import { checkEligibility } from './eligibility.ts'
import { type createLeaseRenewal, type LeasedMessage, leaseDue, type SkipReason } from './leases.ts'
import type { OutboundMessage } from './outbound-message.ts'
import type { createResultWriter } from './record-results.ts'
import type { SendContext } from './send-context.ts'

interface ChannelWorkerDeps {
  database: Database
  channels: Channels
  log: Log
  skipReason: SkipReason
  loadContext: (batch: readonly LeasedMessage[]) => Promise<SendContext>
  leases: ReturnType<typeof createLeaseRenewal>
  resultWriter: ReturnType<typeof createResultWriter>
  isStopping: () => boolean
}

/** Small on PGlite: its single connection also serves requests, so it must not be blocked for long. */
const MAX_AT_ONCE = { pglite: 50, postgres: 500 }
const MAX_PROBES = 4

/** Sends one channel: as many concurrent batches as its transport takes, one of them reserved for urgent messages. */
export function createChannelWorker(channel: MessageChannel, deps: ChannelWorkerDeps) {
  const { database, channels, log, skipReason, isStopping } = deps
  const transport = channels.transports[channel]
  const maxWithOthers = Math.max(1, transport.concurrency - 1)
  const breaker = createCircuitBreaker()
  let running = 0
  let leasedCount = 0
  /** Batches under way that hold messages that are not urgent. */
  let withOthers = 0
  let isLeasing = false
  let shallLookAgain = false

  /**
   * Leases and sends batches until none is due, in parallel as far as the transport allows. Never rejects. Called during
   * another search, or at full capacity, it makes the present ones look again.
   */
  async function work(): Promise<void> {
    if (isLeasing || running >= transport.concurrency) {
      shallLookAgain = true
      return
    }
    running++
    const others: Promise<void>[] = []
    try {
      while (!isStopping() && !breaker.isOpen()) {
        isLeasing = true
        const leased = await leaseDue(database, {
          channel,
          limit: breaker.isProbing() ? MAX_PROBES : Math.min(transport.batch, MAX_AT_ONCE[database.engine]),
          queuePriorities: withOthers < maxWithOthers ? Object.values(QUEUE_PRIORITY) : [QUEUE_PRIORITY.urgent],
          madeUpDomain: channels.madeUpDomain,
          skipReason,
        }).finally(() => {
          isLeasing = false
        })
        leasedCount += leased.length
        if (leased.length === 0 && !shallLookAgain) break
        shallLookAgain = false
        if (leased.length === 0) continue
        const hasOthers = leased.some(({ queue_priority }) => queue_priority !== QUEUE_PRIORITY.urgent)
        if (hasOthers) withOthers++
        // There may be more batches.
        others.push(work())
        await sendBatch(leased, { ...deps, channel, transport, breaker }).finally(() => {
          if (hasOthers) withOthers--
        })
      }
    } catch (error) {
      const { message: reason } = error as Error
      log.error({ reason, channel }, 'messages could not be leased or their results not be recorded')
    }
    running--
    await Promise.all(others)
  }

  return { work, leasedCount: () => leasedCount }
}

interface BatchDeps extends ChannelWorkerDeps {
  channel: MessageChannel
  transport: Channels['transports'][MessageChannel]
  breaker: ReturnType<typeof createCircuitBreaker>
}

/** Sends leased messages and records the result of each one: sent, failed or skipped. */
async function sendBatch(leased: LeasedMessage[], deps: BatchDeps): Promise<void> {
  const { channel, transport, breaker, leases, resultWriter, log, loadContext } = deps
  const writes = new Set<Promise<void>>()
  const stopRenewing = leases.renewWhileSending(leased)
  const recordResult = (message: LeasedMessage, result: DeliveryResult | SkipResult, outbound?: OutboundMessage) => {
    leases.release(message)
    writes.add(resultWriter.add(message, result, outbound))
  }
  try {
    const unsent = new Map<string, { message: LeasedMessage; outbound: OutboundMessage }>()
    const context = await loadContext(leased)
    for (const message of leased) {
      const decision = checkEligibility(message, context, new Date())
      if ('to' in decision) unsent.set(message.id, { message, outbound: decision })
      else recordResult(message, decision)
    }

    const onResult = (id: string, result: DeliveryResult) => {
      const entry = unsent.get(id)
      if (!entry) return
      unsent.delete(id)
      breaker.record(result)
      recordResult(entry.message, result, entry.outbound)
    }
    const outbound = [...unsent.values()].map((entry) => entry.outbound)
    let reason = 'The transport did not report a result'
    if (outbound.length > 0)
      await transport
        .send(outbound, ({ id }, result) => onResult(id, result))
        .catch((error: Error) => {
          reason = error.message
        })
    if (unsent.size > 0) log.error({ reason, channel }, 'messages could not be sent')
    for (const id of [...unsent.keys()]) onResult(id, new DeliveryError(reason))
    await Promise.all(writes)
  } finally {
    stopRenewing()
  }
}
