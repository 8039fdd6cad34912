import { LANES, MESSAGE_CHANNELS, type MessageChannel } from '#shared/notifications/kinds.ts'
import { inBackground } from '../db/claims.ts'
import type { Channels } from './channels.ts'
import { type Claimed, claim } from './claiming.ts'
import { DeliveryFailure } from './failure.ts'
import { createHands } from './hands.ts'
import type { Leaving, Outcome } from './leaving.ts'
import { countNumbers } from './numbers.ts'
import { createOutcomes } from './outcomes.ts'
import { type Kept, ready } from './readying.ts'
import { createTerms, type TermsParts } from './terms.ts'
import { createWordBook } from './words.ts'

export interface SendingParts extends TermsParts {
  channels: Channels
}

/** One connection answers requests too: it is not held for long. */
const MOST_AT_ONCE = { pglite: 50, postgres: 500 }
/** After nobody answered: so long nothing is tried, then a few messages at a time until one gets through. */
const AWAY_MS = { first: 5_000, longest: 60_000 }
const PROBES = 4

export type Sending = ReturnType<typeof createSending>

/**
 * Sends what waits and is due. Safe to run in several places at once: messages are claimed for a while in batches, and
 * no connection is held while they are on their way. A process that dies between handing a message over and writing it
 * down lets that one be sent a second time, under the same key; none is lost.
 */
export function createSending(parts: SendingParts) {
  const { database, channels, log } = parts
  const outcomes = createOutcomes(database, channels)
  const hands = createHands(database, log)
  const words = createWordBook(parts.publicUrl)
  const readyingParts = createTerms(parts, words)
  let isStopping = false
  let tried = 0
  const outlets = MESSAGE_CHANNELS.map((channel) => createOutlet(channel))

  /** One channel: as many batches side by side as its carrier takes, one of them kept for what is urgent. */
  function createOutlet(channel: MessageChannel) {
    const carrier = channels.carriers[channel]
    const forOthers = Math.max(1, carrier.lanes - 1)
    const running = new Set<Promise<void>>()
    let withOthers = 0
    let isLooking = false
    let shallLookAgain = false
    let away = { pause: 0, until: 0 }

    /** Looks for work, unless somebody looks just now: then it is looked again. */
    function wake(): void {
      if (isLooking) shallLookAgain = true
      else if (!isStopping && running.size < carrier.lanes && Date.now() >= away.until) {
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
        const hasOthers = claimed.some(({ lane }) => lane !== LANES.urgent)
        if (hasOthers) withOthers++
        // Where there was one batch there may be more.
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
        const lanes = withOthers < forOthers ? Object.values(LANES) : [LANES.urgent]
        const most = away.pause > 0 ? PROBES : Math.min(carrier.batch, MOST_AT_ONCE[database.engine])
        return await claim(database, { channel, most, lanes, madeUpDomain: channels.madeUpDomain })
      } finally {
        isLooking = false
      }
    }

    async function sendBatch(claimed: Claimed[]): Promise<void> {
      tried += claimed.length
      const writes = new Set<Promise<void>>()
      const release = hands.take(claimed)
      const settle = (message: Claimed, outcome: Outcome | Kept, leaving?: Leaving) => {
        hands.let(message)
        const isByProfile = message.announcement_id !== null && leaving
        const recipient = isByProfile && channel !== 'push' ? { recipient: leaving.to } : {}
        const subject = isByProfile && channel === 'email' ? { subject: leaving.words.subject.slice(0, 300) } : {}
        writes.add(outcomes.add(message, outcome, { ...recipient, ...subject }))
      }
      try {
        const leaving = await prepare(claimed, settle)
        if (leaving.size > 0) await handOver(leaving, settle)
        await Promise.all(writes)
      } finally {
        release()
      }
    }

    /** Decides about each message; what stays is settled, what leaves is given back with its row. */
    async function prepare(claimed: Claimed[], settle: (message: Claimed, outcome: Outcome | Kept) => void) {
      const now = new Date()
      const [readying] = await Promise.all([readyingParts(), loadWords(claimed)])
      const decided = claimed.map((message) => ({ message, decision: ready(message, readying, now) }))
      const numbers =
        channel === 'sms' ? decided.flatMap(({ decision }) => ('to' in decision ? [decision.to] : [])) : []
      const counted = await countNumbers(database, numbers)
      const leaving = new Map<string, { message: Claimed; leaving: Leaving }>()
      for (const { message, decision } of decided) {
        const outcome =
          'to' in decision && channel === 'sms' ? (counted.take(message, decision.to, now) ?? decision) : decision
        if ('to' in outcome) leaving.set(message.id, { message, leaving: outcome })
        else settle(message, outcome)
      }
      return leaving
    }

    async function handOver(
      ready: Map<string, { message: Claimed; leaving: Leaving }>,
      settle: (message: Claimed, outcome: Outcome, leaving: Leaving) => void,
    ): Promise<void> {
      const told = (id: string, outcome: Outcome) => {
        const one = ready.get(id)
        if (!one) return
        ready.delete(id)
        note(outcome)
        settle(one.message, outcome, one.leaving)
      }
      let reason = 'The carrier did not say what became of it'
      try {
        await carrier.send(
          [...ready.values()].map(({ leaving }) => leaving),
          (message, outcome) => told(message.id, outcome),
        )
      } catch (error) {
        reason = (error as Error).message
      }
      if (ready.size > 0) log.error({ reason, channel }, 'messages could not be handed over')
      for (const id of [...ready.keys()]) told(id, new DeliveryFailure(reason))
    }

    /** Nobody answers, or somebody does again. */
    function note(outcome: Outcome): void {
      if (!(outcome instanceof DeliveryFailure)) away = { pause: 0, until: 0 }
      else if (outcome.isPeerAway && Date.now() >= away.until) {
        const pause = Math.min(
          Math.max(away.pause * 2, AWAY_MS.first, (outcome.retryAfter ?? 0) * 1000),
          AWAY_MS.longest,
        )
        away = { pause, until: Date.now() + pause }
      }
    }

    return { wake, running }
  }

  const loadWords = (claimed: Claimed[]) => {
    const ids = claimed.flatMap(({ announcement_id: id, body_text }) => (id !== null && body_text === null ? [id] : []))
    if (ids.length === 0 || words.hasAll(ids)) return
    return inBackground(database, 'messages', (db) => words.load(db, ids))
  }

  /** Ends when nothing is in hand. */
  async function finished(): Promise<void> {
    for (;;) {
      const running = outlets.flatMap((outlet) => [...outlet.running])
      if (running.length === 0) return
      await Promise.all(running)
    }
  }

  return {
    /** Looks for what is due, unless that is being done. */
    wake: () => outlets.forEach((outlet) => void outlet.wake()),

    /** Sends what is due until nothing is left or nobody answers; returns how many messages it had in hand. */
    async sendDue(): Promise<number> {
      const before = tried
      for (const outlet of outlets) outlet.wake()
      await finished()
      return tried - before
    },

    /** Takes nothing more and finishes what is in hand. */
    async stop(): Promise<void> {
      isStopping = true
      await finished()
    },
  }
}
