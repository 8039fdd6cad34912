import { expect, test } from 'vitest'
import { leaving } from '#server/testing/leaving.ts'
import { DeliveryFailure } from '../failure.ts'
import type { Outcome } from '../leaving.ts'
import type { Provider } from './batches.ts'
import { withFailover } from './failover.ts'

const MINUTE = 60_000

/** Two providers on a clock of the test's own; each answers as the test says. */
function pair() {
  let time = 0
  const clock = {
    now: () => time,
    wait: (ms: number) => {
      time += ms
    },
  }
  const asked: string[] = []
  const provider = (name: string) => {
    const said: { outcome: () => Outcome; takesMs: number } = {
      outcome: () => ({ status: 'sent', provider: name, receipt: name }),
      takesMs: 10,
    }
    const carries: Provider = {
      name,
      async deliver() {
        asked.push(name)
        clock.wait(said.takesMs)
        return said.outcome()
      },
      close() {},
    }
    return { said, carries }
  }
  const [first, second] = [provider('first'), provider('second')]
  const both = withFailover([first.carries, second.carries], clock.now)
  return {
    first: first.said,
    second: second.said,
    clock,
    async send() {
      asked.length = 0
      const outcome = await both.deliver(leaving())
      return {
        asked: asked.join(' '),
        by: outcome instanceof DeliveryFailure ? outcome.message : (outcome as { provider: string }).provider,
      }
    },
    /** Part of a hundred messages that begin with the first. */
    async shareOfFirst() {
      let begun = 0
      for (let n = 0; n < 100; n++) {
        asked.length = 0
        await both.deliver(leaving())
        if (asked[0] === 'first') begun++
      }
      return begun
    },
  }
}
const failing =
  (more: ConstructorParameters<typeof DeliveryFailure>[1] = {}) =>
  () =>
    new DeliveryFailure('503', { provider: 'first', ...more })

test('while the first is well the second is not asked', async () => {
  const { shareOfFirst, send } = pair()
  expect(await shareOfFirst()).toBe(100)
  expect(await send()).toEqual({ asked: 'first', by: 'first' })
})

test('what the first does not take goes to the second at once, what it may have taken does not', async () => {
  const { first, send } = pair()
  first.outcome = failing()
  expect(await send()).toEqual({ asked: 'first second', by: 'second' })
  first.outcome = failing({ mayHaveArrived: true })
  expect(await send()).toEqual({ asked: 'first', by: '503' })
  first.outcome = failing({ isFinal: true })
  expect(await send()).toEqual({ asked: 'first', by: '503' })
})

test('one that does not answer is left alone for half a minute, or as long as it asked', async () => {
  const { first, clock, send } = pair()
  first.outcome = failing({ isPeerAway: true })
  expect((await send()).asked).toBe('first second')
  expect((await send()).asked).toBe('second')
  clock.wait(30_000)
  expect((await send()).asked).toBe('first second')
  first.outcome = failing({ isPeerAway: true, retryAfter: 120 })
  clock.wait(30_000)
  await send()
  clock.wait(60_000)
  expect((await send()).asked).toBe('second')
})

test('with both gone the reason is told, and the first that comes back is used', async () => {
  const { first, second, send } = pair()
  first.outcome = second.outcome = failing({ isPeerAway: true })
  expect(await send()).toEqual({ asked: 'first second', by: '503' })
  first.outcome = () => ({ status: 'sent', provider: 'first', receipt: '1' })
  expect((await send()).by).toBe('first')
})

test.each([
  ['fails', 0.2],
  ['is slow', 0.2],
] as const)('more and more goes to the second while the first %s, and comes back step by step', async (how, part) => {
  const { first, clock, shareOfFirst } = pair()
  let told = 0
  const well = first.outcome
  const isBad = () => ++told % (1 / part) === 0
  if (how === 'fails') first.outcome = () => (isBad() ? failing()() : well())
  else
    first.outcome = () => {
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
  first.outcome = well
  const back: number[] = []
  for (let n = 0; n < 80; n++) {
    clock.wait(MINUTE)
    back.push(await shareOfFirst())
  }
  expect(back).toEqual([...back].sort((a, b) => a - b))
  expect(back.at(-1)).toBe(100)
  // Ten parts every five minutes.
  expect(back.filter((share) => share < 100).length).toBeGreaterThanOrEqual(40)
})

test('a few bad messages, or less than fifteen of a hundred, change nothing', async () => {
  const { first, clock, shareOfFirst } = pair()
  const well = first.outcome
  let told = 0
  first.outcome = () => (++told % 10 === 0 ? failing()() : well())
  for (let n = 0; n < 5; n++) {
    expect(await shareOfFirst()).toBe(100)
    clock.wait(MINUTE)
  }
})

test('where both are equally bad, the first stays the first', async () => {
  const { first, second, clock, shareOfFirst } = pair()
  first.outcome = second.outcome = failing()
  for (let n = 0; n < 5; n++) {
    await shareOfFirst()
    clock.wait(MINUTE)
  }
  expect(await shareOfFirst()).toBe(100)
})
