import { DeliveryFailure } from '../delivery-result.ts'
import type { DeliveryResult, OutboundMessage, Transport } from '../outbound-message.ts'

/** With the time of one message less than the lease of a batch: what is not begun by then waits for the next try. */
const BATCH_MS = 60_000

/** Somebody who carries messages one at a time. */
export interface Provider {
  name: string
  /** What is thrown is taken for a fault of the message: no later try goes better. */
  deliver(message: OutboundMessage): Promise<DeliveryResult>
  /** Whether it may carry the message at all, where others may as well; unless told, it may. */
  isFor?(message: OutboundMessage): boolean
  /** Whether the rest of a batch would meet the same; unless told, when nobody answers. */
  isHopeless?(failure: DeliveryFailure): boolean
  /** Whether another provider may do better; unless told, after everything that is not final. */
  isAtFault?(failure: DeliveryFailure): boolean
  close(): void
}

export interface ClosableTransport extends Transport {
  close(): void
}

export const isAway = (failure: DeliveryFailure) => failure.isPeerAway

/** Carries messages several at the same time (`atOnce`), until the other side is gone or too slow. */
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
      let away: DeliveryFailure | undefined
      const work = async () => {
        for (let message = messages[next++]; message; message = messages[next++]) {
          if (Date.now() > until) away ??= tooSlow(provider)
          const result = away ?? (await provider.deliver(message).catch((error: Error) => faultOf(error, provider)))
          if (result instanceof DeliveryFailure && isHopeless(result)) away ??= asUntried(result)
          onResult(message, result)
        }
      }
      await Promise.all(Array.from({ length: Math.min(atOnce, messages.length) }, work))
    },
    close: () => provider.close(),
  }
}

const tooSlow = ({ name }: Provider) =>
  new DeliveryFailure('The provider is too slow', { isPeerAway: true, provider: name })

const faultOf = (error: Error, { name }: Provider) =>
  new DeliveryFailure(error.message, { isFinal: true, provider: name })

/** For those that were not even given away. */
const asUntried = ({ message, retryAfter, provider }: DeliveryFailure) =>
  new DeliveryFailure(message, { isPeerAway: true, retryAfter, provider })
