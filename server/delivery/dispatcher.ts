import { inBackground } from '#server/db/claims.ts'
import { MESSAGE_CHANNELS, type MessageChannel, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Channels } from './channels.ts'
import { DeliveryFailure } from './delivery-result.ts'
import { ready, type SkipResult } from './eligibility.ts'
import { createLeases } from './lease-renewal.ts'
import { type Claimed, claim } from './leases.ts'
import type { DeliveryResult, OutboundMessage } from './outbound-message.ts'
import { countNumbers } from './rate-limit.ts'
import { createResultWriter } from './record-results.ts'
import { createTerms, type SendContextDeps } from './send-context.ts'
import { createContentCache } from './templates/announcement-content.ts'

export interface DispatcherDeps extends SendContextDeps {
  channels: Channels
}

/** Small on PGlite: its single connection also serves requests, so it must not be blocked for long. */
const MAX_AT_ONCE = { pglite: 50, postgres: 500 }
/** Circuit breaker: pause after the provider is unreachable, then probe with a few messages. */
const AWAY_MS = { first: 5_000, longest: 60_000 }
const PROBES = 4

export type Sending = ReturnType<typeof createSending>

/**
 * Sends messages that are due. Safe to run in several places at once: batches are leased, and no database connection is
 * held while sending. If a process dies between sending and recording the result, the message is sent again under the
 * same key; none is lost.
 */
export function createSending(deps: DispatcherDeps) {
  const { database, channels, log } = deps
  const resultWriter = createResultWriter(database, channels)
  const leases = createLeases(database, log)
  const contentCache = createContentCache(deps.publicUrl)
  const sendContext = createTerms(deps, contentCache)
  let isStopping = false
  let tried = 0
  const outlets = MESSAGE_CHANNELS.map((channel) => createChannelWorker(channel))

  /** One channel: as many concurrent batches as its transport takes, one of them reserved for urgent messages. */
  function createChannelWorker(channel: MessageChannel) {
    const transport = channels.transports[channel]
    const forOthers = Math.max(1, transport.concurrency - 1)
    const running = new Set<Promise<void>>()
    let withOthers = 0
    let isLooking = false
    let shallLookAgain = false
    let away = { pause: 0, until: 0 }

    /** Looks for work, or looks again after a search that is already running. */
    function wake(): void {
      if (isLooking) shallLookAgain = true
      else if (!isStopping && running.size < transport.concurrency && Date.now() >= away.until) {
        const run = work().catch((error: Error) =>
          log.error(
            { reason: error.message, channel },
            'messages could not be claimed or their outcome not be written',
          ),
        )
        running.add(run)
        run.finally(() => running.delete(run))
      }
    }

    async function work(): Promise<void> {
      while (!isStopping && Date.now() >= away.until) {
        const claimed = await look()
        if (claimed.length === 0) {
          if (!shallLookAgain) return
          shallLookAgain = false
          continue
        }
        const hasOthers = claimed.some(({ lane }) => lane !== QUEUE_PRIORITY.urgent)
        if (hasOthers) withOthers++
        // There may be more batches.
        wake()
        try {
          await sendBatch(claimed)
        } finally {
          if (hasOthers) withOthers--
        }
      }
    }

    async function look(): Promise<Claimed[]> {
      isLooking = true
      try {
        const queuePriorities = withOthers < forOthers ? Object.values(QUEUE_PRIORITY) : [QUEUE_PRIORITY.urgent]
        const limit = away.pause > 0 ? PROBES : Math.min(transport.batch, MAX_AT_ONCE[database.engine])
        return await claim(database, { channel, limit, queuePriorities, madeUpDomain: channels.madeUpDomain })
      } finally {
        isLooking = false
      }
    }

    async function sendBatch(claimed: Claimed[]): Promise<void> {
      tried += claimed.length
      const writes = new Set<Promise<void>>()
      const release = leases.take(claimed)
      const recordResult = (message: Claimed, result: DeliveryResult | SkipResult, outbound?: OutboundMessage) => {
        leases.let(message)
        const isByProfile = message.announcement_id !== null && outbound
        const recipient = isByProfile && channel !== 'push' ? { recipient: outbound.to } : {}
        const subject = isByProfile && channel === 'email' ? { subject: outbound.content.subject.slice(0, 300) } : {}
        writes.add(resultWriter.add(message, result, { ...recipient, ...subject }))
      }
      try {
        const sendable = await prepare(claimed, recordResult)
        if (sendable.size > 0) await transmit(sendable, recordResult)
        await Promise.all(writes)
      } finally {
        release()
      }
    }

    /** Checks eligibility. Skipped messages are recorded; sendable ones are returned with their rows. */
    async function prepare(
      claimed: Claimed[],
      recordResult: (message: Claimed, result: DeliveryResult | SkipResult) => void,
    ) {
      const now = new Date()
      const [context] = await Promise.all([sendContext(), loadContent(claimed)])
      const decided = claimed.map((message) => ({ message, decision: ready(message, context, now) }))
      const numbers =
        channel === 'sms' ? decided.flatMap(({ decision }) => ('to' in decision ? [decision.to] : [])) : []
      const counted = await countNumbers(database, numbers)
      const sendable = new Map<string, { message: Claimed; outbound: OutboundMessage }>()
      for (const { message, decision } of decided) {
        const result =
          'to' in decision && channel === 'sms' ? (counted.take(message, decision.to, now) ?? decision) : decision
        if ('to' in result) sendable.set(message.id, { message, outbound: result })
        else recordResult(message, result)
      }
      return sendable
    }

    async function transmit(
      ready: Map<string, { message: Claimed; outbound: OutboundMessage }>,
      recordResult: (message: Claimed, result: DeliveryResult, outbound: OutboundMessage) => void,
    ): Promise<void> {
      const onResult = (id: string, result: DeliveryResult) => {
        const entry = ready.get(id)
        if (!entry) return
        ready.delete(id)
        note(result)
        recordResult(entry.message, result, entry.outbound)
      }
      let reason = 'The carrier did not say what became of it'
      try {
        await transport.send(
          [...ready.values()].map(({ outbound }) => outbound),
          (message, result) => onResult(message.id, result),
        )
      } catch (error) {
        reason = (error as Error).message
      }
      if (ready.size > 0) log.error({ reason, channel }, 'messages could not be handed over')
      for (const id of [...ready.keys()]) onResult(id, new DeliveryFailure(reason))
    }

    /** Updates the circuit breaker. */
    function note(result: DeliveryResult): void {
      if (!(result instanceof DeliveryFailure)) away = { pause: 0, until: 0 }
      else if (result.isPeerAway && Date.now() >= away.until) {
        const pause = Math.min(
          Math.max(away.pause * 2, AWAY_MS.first, (result.retryAfter ?? 0) * 1000),
          AWAY_MS.longest,
        )
        away = { pause, until: Date.now() + pause }
      }
    }

    return { wake, running }
  }

  const loadContent = (claimed: Claimed[]) => {
    const ids = claimed.flatMap(({ announcement_id: id, body_text }) => (id !== null && body_text === null ? [id] : []))
    if (ids.length === 0 || contentCache.hasAll(ids)) return
    return inBackground(database, 'messages', (db) => contentCache.load(db, ids))
  }

  /** Resolves when no message is leased. */
  async function drain(): Promise<void> {
    for (;;) {
      const running = outlets.flatMap((worker) => [...worker.running])
      if (running.length === 0) return
      await Promise.all(running)
    }
  }

  return {
    /** Looks for due messages unless a search is already running. */
    wake: () => outlets.forEach((worker) => void worker.wake()),

    /** Sends due messages until none are left or the provider is unreachable; returns how many were leased. */
    async sendDue(): Promise<number> {
      const before = tried
      for (const worker of outlets) worker.wake()
      await drain()
      return tried - before
    },

    /** Stops leasing and finishes the current batches. */
    async stop(): Promise<void> {
      isStopping = true
      await drain()
    },
  }
}
