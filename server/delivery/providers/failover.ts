import { firstOf } from '#shared/assert.ts'
import { DeliveryError, type DeliveryResult } from '../delivery-result.ts'
import type { OutboundMessage } from '../outbound-message.ts'
import { isAway, type Provider } from './batch-transport.ts'

const MINUTE = 60_000
/** A provider is unhealthy from this share of failed or slow messages in the window. */
const BAD_SHARE = 0.15
const WINDOW_MINUTES = 15
/** Too few messages to judge. */
const MIN_SAMPLE = 10
const SLOW_MS = 5_000
/** Percentage points shifted per check. */
const STEP = 20
const STEP_BACK = 10
const BACK_EVERY_MS = 5 * MINUTE
/** Minimum percentage for the first provider, so that its recovery can be noticed. */
const LEAST_SHARE = 5
/** An unreachable provider is skipped this long. */
const AWAY_MS = 30_000

/**
 * Sends through the first provider with fallbacks. A rejected message goes to the next provider at once; one that may
 * have been accepted never does. While the first is slow or failing, traffic shifts to the others step by step, and
 * shifts back when it recovers. The state is kept in this process.
 */
export function withFailover(providers: Provider[], now: () => number = Date.now): Provider {
  const first = firstOf(providers)
  if (providers.length === 1) return first
  const known = providers.map((provider) => ({ provider, record: createRecord(now) }))
  let share = 100
  let lookedAt = now()
  let steppedBackAt = now()
  let turn = 0

  function drift(): void {
    if (now() - lookedAt < MINUTE) return
    lookedAt = now()
    const [bad = 0, ...others] = known.map(({ record }) => record.badShare())
    if (bad >= BAD_SHARE && Math.min(...others) < bad) {
      share = Math.max(share - STEP, LEAST_SHARE)
      steppedBackAt = now()
    } else if (bad < BAD_SHARE && share < 100 && now() - steppedBackAt >= BACK_EVERY_MS) {
      share = Math.min(share + STEP_BACK, 100)
      steppedBackAt = now()
    }
  }

  /** Order in which providers are tried. Spreads the first provider's share evenly over the messages. */
  function inOrder() {
    drift()
    turn += share
    const isFirstsTurn = turn >= 100
    if (isFirstsTurn) turn -= 100
    const order = isFirstsTurn ? known : [...known.slice(1), ...known.slice(0, 1)]
    const away = order.filter(({ record }) => record.isAway())
    return [...order.filter((one) => !away.includes(one)), ...away]
  }

  async function deliver(message: OutboundMessage): Promise<DeliveryResult> {
    let result: DeliveryResult | undefined
    for (const { provider, record } of inOrder()) {
      if (provider.isFor?.(message) === false) continue
      const began = now()
      result = await provider.deliver(message)
      const mayDoBetter = result instanceof DeliveryError && isFaultOf(provider, result)
      record.note({ isBad: mayDoBetter || now() - began >= SLOW_MS, result })
      if (!mayDoBetter || (result as DeliveryError).mayHaveArrived) return result
    }
    return result ?? new DeliveryError('No provider sends as this sender', { isFinal: true })
  }

  return {
    name: first.name,
    deliver,
    isHopeless: (failure) => providers.every((provider) => (provider.isHopeless ?? isAway)(failure)),
    close: () => {
      for (const provider of providers) provider.close()
    },
  }
}

const isFaultOf = ({ isAtFault }: Provider, failure: DeliveryError) =>
  !failure.isFinal && (isAtFault ? isAtFault(failure) : true)

/** Results of one provider within the last minutes. */
function createRecord(now: () => number) {
  const minutes = new Map<number, { total: number; bad: number }>()
  let awayUntil = 0
  const minute = () => Math.floor(now() / MINUTE)
  return {
    note({ isBad, result }: { isBad: boolean; result: DeliveryResult }) {
      const isGone = result instanceof DeliveryError && result.isPeerAway && isBad
      awayUntil = isGone ? now() + Math.max(AWAY_MS, ((result as DeliveryError).retryAfter ?? 0) * 1_000) : 0
      const counted = minutes.get(minute()) ?? { total: 0, bad: 0 }
      counted.total++
      if (isBad) counted.bad++
      minutes.set(minute(), counted)
    },
    isAway: () => now() < awayUntil,
    badShare(): number {
      for (const at of minutes.keys()) if (at <= minute() - WINDOW_MINUTES) minutes.delete(at)
      const all = [...minutes.values()]
      const total = all.reduce((sum, counted) => sum + counted.total, 0)
      return total < MIN_SAMPLE ? 0 : all.reduce((sum, counted) => sum + counted.bad, 0) / total
    },
  }
}
