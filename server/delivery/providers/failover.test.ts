import { expect, test } from 'vitest'
import { outboundMessage } from '#server/testing/outbound-message.ts'
import { DeliveryError, type DeliveryResult } from '../delivery-result.ts'
import type { Provider } from './batch-transport.ts'
import { withFailover } from './failover.ts'

const MINUTE = 60_000

/** Two providers with a fake clock; the test sets their responses. */
function pair() {
  let time = 0
  const clock = {
    now: () => time,
    wait: (ms: number) => {
      time += ms
    },
  }
  const calls: string[] = []
  const provider = (name: string) => {
    const behavior: { result: () => DeliveryResult; takesMs: number } = {
      result: () => ({ status: 'sent', provider: name, providerMessageId: name }),
      takesMs: 10,
    }
    const carries: Provider = {
      name,
      async deliver() {
        calls.push(name)
        clock.wait(behavior.takesMs)
        return behavior.result()
      },
      close() {},
    }
    return { said: behavior, carries }
  }
  const [first, second] = [provider('first'), provider('second')]
  const both = withFailover([first.carries, second.carries], clock.now)
  return {
    first: first.said,
    second: second.said,
    clock,
    async send() {
      calls.length = 0
      const result = await both.deliver(outboundMessage())
      return {
        asked: calls.join(' '),
        by: result instanceof DeliveryError ? result.message : (result as { provider: string }).provider,
      }
    },
    /** Percentage of messages that try the first provider first. */
    async shareOfFirst() {
      let begun = 0
      for (let n = 0; n < 100; n++) {
        calls.length = 0
        await both.deliver(outboundMessage())
        if (calls[0] === 'first') begun++
      }
      return begun
    },
  }
}
const failing =
  (more: ConstructorParameters<typeof DeliveryError>[1] = {}) =>
  () =>
    new DeliveryError('503', { provider: 'first', ...more })

test('the second provider is unused while the first is healthy', async () => {
  const { shareOfFirst, send } = pair()
  expect(await shareOfFirst()).toBe(100)
  expect(await send()).toEqual({ asked: 'first', by: 'first' })
})

test('a message the first rejects goes to the second at once, one it may have accepted does not', async () => {
  const { first, send } = pair()
  first.result = failing()
  expect(await send()).toEqual({ asked: 'first second', by: 'second' })
  first.result = failing({ mayHaveArrived: true })
  expect(await send()).toEqual({ asked: 'first', by: '503' })
  first.result = failing({ isFinal: true })
  expect(await send()).toEqual({ asked: 'first', by: '503' })
})

test('an unreachable provider is skipped for half a minute, or as long as it requested', async () => {
  const { first, clock, send } = pair()
  first.result = failing({ isPeerAway: true })
  expect((await send()).asked).toBe('first second')
  expect((await send()).asked).toBe('second')
  clock.wait(30_000)
  expect((await send()).asked).toBe('first second')
  first.result = failing({ isPeerAway: true, retryAfter: 120 })
  clock.wait(30_000)
  await send()
  clock.wait(60_000)
  expect((await send()).asked).toBe('second')
})

test('with both unreachable the reason is reported, and the first to recover is used', async () => {
  const { first, second, send } = pair()
  first.result = second.result = failing({ isPeerAway: true })
  expect(await send()).toEqual({ asked: 'first second', by: '503' })
  first.result = () => ({ status: 'sent', provider: 'first', providerMessageId: '1' })
  expect((await send()).by).toBe('first')
})

test.each([
  ['fails', 0.2],
  ['is slow', 0.2],
] as const)('traffic shifts to the second step by step while the first %s, and shifts back', async (how, share) => {
  const { first, clock, shareOfFirst } = pair()
  let count = 0
  const well = first.result
  const isBad = () => ++count % (1 / share) === 0
  if (how === 'fails') first.result = () => (isBad() ? failing()() : well())
  else
    first.result = () => {
      if (isBad()) clock.wait(5_000)
      return well()
    }
  const shares = [await shareOfFirst()]
  for (let n = 0; n < 6; n++) {
    clock.wait(MINUTE)
    shares.push(await shareOfFirst())
  }
  expect(shares[0]).toBeGreaterThanOrEqual(80)
  expect(shares[2]).toBeLessThan(shares[0]!)
  expect(shares.at(-1)).toBeLessThanOrEqual(20)
  expect(shares.at(-1)).toBeGreaterThan(0)
  first.result = well
  const back: number[] = []
  for (let n = 0; n < 80; n++) {
    clock.wait(MINUTE)
    back.push(await shareOfFirst())
  }
  expect(back).toEqual([...back].sort((a, b) => a - b))
  expect(back.at(-1)).toBe(100)
  // Ten percentage points every five minutes.
  expect(back.filter((share) => share < 100).length).toBeGreaterThanOrEqual(40)
})

test('a few failures, or less than fifteen percent, change nothing', async () => {
  const { first, clock, shareOfFirst } = pair()
  const well = first.result
  let count = 0
  first.result = () => (++count % 10 === 0 ? failing()() : well())
  for (let n = 0; n < 5; n++) {
    expect(await shareOfFirst()).toBe(100)
    clock.wait(MINUTE)
  }
})

test('if both are equally bad, the first stays primary', async () => {
  const { first, second, clock, shareOfFirst } = pair()
  first.result = second.result = failing()
  for (let n = 0; n < 5; n++) {
    await shareOfFirst()
    clock.wait(MINUTE)
  }
  expect(await shareOfFirst()).toBe(100)
})
