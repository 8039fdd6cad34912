import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { type MessageChannel, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Channels } from './channels.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { DeliveryError, type DeliveryResult, type SkipResult } from './delivery-result.ts'
import { checkEligibility } from './eligibility.ts'
import { type createLeaseRenewal, type LeasedMessage, leaseDue, type SkipReason } from './leases.ts'
import type { OutboundMessage } from './outbound-message.ts'
import { createRateLimiter } from './rate-limit.ts'
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
  const running = new Set<Promise<void>>()
  let leasedCount = 0
  /** Batches under way that hold messages that are not urgent. */
  let withOthers = 0
  let isLeasing = false
  let shallLookAgain = false

  /** Looks for work, or looks again after a search that is already running. */
  function wake(): void {
    if (isLeasing) shallLookAgain = true
    else if (!isStopping() && running.size < transport.concurrency && !breaker.isOpen()) {
      const run = work().catch((error: Error) =>
        log.error({ reason: error.message, channel }, 'messages could not be leased or their results not be recorded'),
      )
      running.add(run)
      run.finally(() => running.delete(run))
    }
  }

  /** Leases and sends batches until none is due. */
  async function work(): Promise<void> {
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
      if (leased.length === 0) {
        if (!shallLookAgain) return
        shallLookAgain = false
        continue
      }
      leasedCount += leased.length
      const hasOthers = leased.some(({ lane }) => lane !== QUEUE_PRIORITY.urgent)
      if (hasOthers) withOthers++
      // There may be more batches.
      wake()
      await sendBatch(leased, { ...deps, channel, transport, breaker }).finally(() => {
        if (hasOthers) withOthers--
      })
    }
  }

  return { wake, running, leasedCount: () => leasedCount }
}

interface BatchDeps extends ChannelWorkerDeps {
  channel: MessageChannel
  transport: Channels['transports'][MessageChannel]
  breaker: ReturnType<typeof createCircuitBreaker>
}

/** Sends leased messages and records the result of each one: sent, failed or skipped. */
async function sendBatch(leased: LeasedMessage[], deps: BatchDeps): Promise<void> {
  const { channel, transport, breaker, leases, resultWriter, log } = deps
  const writes = new Set<Promise<void>>()
  const stopRenewing = leases.renewWhileSending(leased)
  const recordResult = (message: LeasedMessage, result: DeliveryResult | SkipResult, outbound?: OutboundMessage) => {
    leases.release(message)
    writes.add(resultWriter.add(message, result, outbound))
  }
  try {
    const unsent = new Map<string, { message: LeasedMessage; outbound: OutboundMessage }>()
    for (const [message, decision] of await decide(leased, deps))
      if ('to' in decision) unsent.set(message.id, { message, outbound: decision })
      else recordResult(message, decision)

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

/** What becomes of each message now: eligibility first, then the rate limit of text messages. */
async function decide(leased: LeasedMessage[], { database, channel, loadContext }: BatchDeps) {
  const now = new Date()
  const context = await loadContext(leased)
  const decisions = leased.map((message) => [message, checkEligibility(message, context, now)] as const)
  if (channel !== 'sms') return decisions
  const numbers = decisions.flatMap(([, decision]) => ('to' in decision ? [decision.to] : []))
  const limiter = await createRateLimiter(database, numbers)
  return decisions.map(
    ([message, decision]) =>
      [message, ('to' in decision ? limiter.take(message, decision.to, now) : null) ?? decision] as const,
  )
}
