import { DeliveryError, type DeliveryResult } from '../delivery-result.ts'
import type { OutboundMessage, Transport } from '../outbound-message.ts'

/**
 * Plus the time for one message, this stays below the lease of a batch; messages not started by then are retried later.
 */
const BATCH_MS = 60_000

/** A provider that sends one message at a time. */
export interface Provider {
  name: string
  /** A thrown error counts as a fault of the message and is not retried. */
  deliver(message: OutboundMessage): Promise<DeliveryResult>
  /** Whether it can send this message, or only another provider can; defaults to true. */
  isFor?(message: OutboundMessage): boolean
  /** Whether the rest of the batch would fail the same way; defaults to an unreachable provider. */
  isHopeless?(failure: DeliveryError): boolean
  /** Whether another provider may succeed; defaults to every failure that is not final. */
  isAtFault?(failure: DeliveryError): boolean
  close(): void
}

export interface ClosableTransport extends Transport {
  close(): void
}

export const isAway = (failure: DeliveryError) => failure.isPeerAway

/** Sends `atOnce` messages concurrently until the provider is unreachable or too slow. */
export function inBatches(
  provider: Provider,
  { batch, concurrency, atOnce }: { batch: number; concurrency: number; atOnce: number },
): ClosableTransport {
  const isHopeless = provider.isHopeless ?? isAway
  return {
    batch,
    concurrency,
    async send(messages, onResult) {
      const until = Date.now() + BATCH_MS
      let next = 0
      let away: DeliveryError | undefined
      const work = async () => {
        for (let message = messages[next++]; message; message = messages[next++]) {
          if (Date.now() > until) away ??= tooSlow(provider)
          const result = away ?? (await provider.deliver(message).catch((error: Error) => faultOf(error, provider)))
          if (result instanceof DeliveryError && isHopeless(result)) away ??= asUntried(result)
          onResult(message, result)
        }
      }
      await Promise.all(Array.from({ length: Math.min(atOnce, messages.length) }, work))
    },
    close: () => provider.close(),
  }
}

const tooSlow = ({ name }: Provider) =>
  new DeliveryError('The provider is too slow', { isPeerAway: true, provider: name })

const faultOf = (error: Error, { name }: Provider) =>
  new DeliveryError(error.message, { isFinal: true, provider: name })

/** The failure for messages that were not attempted. */
const asUntried = ({ message, retryAfter, provider }: DeliveryError) =>
  new DeliveryError(message, { isPeerAway: true, retryAfter, provider })
