import { DeliveryError, type DeliveryResult } from './delivery-result.ts'

const PAUSE_MS = { first: 5_000, longest: 60_000 }

/** Pauses a channel while its provider is unreachable, longer each time, until a message gets through. */
export function createCircuitBreaker() {
  let pause = 0
  let until = 0
  return {
    /** Nothing is sent now. */
    isOpen: () => Date.now() < until,
    /** The provider was unreachable at the last attempt: try a few messages first. */
    isProbing: () => pause > 0,
    record(result: DeliveryResult): void {
      if (!(result instanceof DeliveryError)) pause = until = 0
      else if (result.isPeerAway && Date.now() >= until) {
        pause = Math.min(Math.max(pause * 2, PAUSE_MS.first, (result.retryAfter ?? 0) * 1000), PAUSE_MS.longest)
        until = Date.now() + pause
      }
    },
  }
}
