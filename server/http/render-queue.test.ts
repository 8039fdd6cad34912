import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { noteRead, recordReads } from '#server/db/read-tracking.ts'
import { RenderQueue } from './render-queue.ts'

/** A rendering that ends when the test says so. */
function rendering() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { promise, resolve, reject }
}

const flushTurns = async () => {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

test('visitors take turns, one page at a time for each, however many one of them requested', async () => {
  const turns = new RenderQueue({ maxAtOnce: 1 })
  const order: string[] = []
  const ask = (visitor: string, page: string) =>
    turns.take({ visitor }, async () => {
      order.push(page)
    })
  const greedy = Array.from({ length: 20 }, (_, i) => ask('a', `a${i}`))
  await Promise.all([...greedy, ask('b', 'b'), ask('c', 'c')])
  expect(order.slice(0, 3)).toEqual(['a0', 'b', 'c'])
  expect(order).toHaveLength(22)
})

test('a visitor has one page rendered at a time, and all of them together a few', async () => {
  const turns = new RenderQueue({ maxAtOnce: 2 })
  const started: string[] = []
  const pages = ['a1', 'a2', 'b1', 'c1'].map((page) => ({ page, ...rendering() }))
  const results = pages.map(({ page, promise }) =>
    turns.take({ visitor: page[0]! }, () => {
      started.push(page)
      return promise
    }),
  )
  await flushTurns()
  expect(started).toEqual(['a1', 'b1'])
  pages[2]!.resolve('done')
  await flushTurns()
  expect(started).toEqual(['a1', 'b1', 'c1'])
  for (const { resolve } of pages) resolve('done')
  await Promise.all(results)
  expect(started.at(-1)).toBe('a2')
})

test('the event loop turns between two renderings, so that incoming requests are answered', async () => {
  const turns = new RenderQueue({ maxAtOnce: 4 })
  const turnOf: number[] = []
  let turn = 0
  const pages = ['a', 'b', 'c'].map((visitor) => turns.take({ visitor }, async () => void turnOf.push(turn)))
  for (; turn < 10; turn++) await nextTurn()
  await Promise.all(pages)
  expect(turnOf).toHaveLength(3)
  expect(new Set(turnOf).size).toBe(3)
})

test('a visitor with too many waiting pages is refused with a time to retry, except for urgent pages', async () => {
  const turns = new RenderQueue({ maxAtOnce: 1, maxWaitingPerVisitor: 2 })
  const page = rendering()
  const ask = (visitor: string, isUrgent = false) => turns.take({ visitor, isUrgent }, () => page.promise)
  const first = [ask('a'), ask('a')]
  await expect(ask('a')).rejects.toMatchObject({ status: 503, code: 'busy', headers: { 'retry-after': '2' } })
  const others = [ask('b'), ask('a', true), ask('a', true), ask('a', true)]
  page.resolve('page')
  expect(await Promise.all([...first, ...others])).toEqual(Array(6).fill('page'))
})

test('when too many pages wait in total, new requests are refused, except for urgent pages', async () => {
  const turns = new RenderQueue({ maxAtOnce: 1, maxWaiting: 3 })
  const page = rendering()
  const results = ['a', 'b', 'c'].map((visitor) => turns.take({ visitor }, () => page.promise))
  await expect(turns.take({ visitor: 'd' }, () => page.promise)).rejects.toMatchObject({ status: 503 })
  results.push(turns.take({ visitor: 'e', isUrgent: true }, () => page.promise))
  page.resolve('page')
  expect(await Promise.all(results)).toHaveLength(4)
})

test('a page that two visitors wait for is rendered once, in the turn that comes first', async () => {
  const turns = new RenderQueue({ maxAtOnce: 1 })
  const order: string[] = []
  const ask = (visitor: string, key: string) => turns.take({ visitor, key }, async () => void order.push(key))
  const results = ['1', '2', '3', '/'].map((key) => ask('a', key))
  turns.join('b', '/')
  turns.join('b', 'nobody waits for this')
  await Promise.all(results)
  expect(order).toEqual(['1', '/', '2', '3'])
  expect(turns.waiting).toBe(0)
})

test('each page is rendered in the context of its own request, whichever turn it follows', async () => {
  const turns = new RenderQueue({ maxAtOnce: 2 })
  const ask = (page: string) =>
    recordReads(() =>
      turns.take({ visitor: page[0]! }, async () => {
        await nextTurn()
        noteRead(page)
      }),
    )
  const pages = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
  const results = await Promise.all(pages.map(ask))
  expect(results.map(({ reads }) => [...reads])).toEqual(pages.map((page) => [page]))
})

test('a page that fails to render takes nobody else’s turn', async () => {
  const turns = new RenderQueue({ maxAtOnce: 1 })
  const failing = turns.take({ visitor: 'a' }, async () => {
    throw new Error('broken')
  })
  const next = turns.take({ visitor: 'a' }, async () => 'fine')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('fine')
})

test('a visitor whose page took long on a slow machine pauses for seconds, not for minutes', async () => {
  vi.useFakeTimers()
  // Constantly busy with others, and each page takes ten seconds.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now())
  const load = vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 0, active: 1, utilization: 1 })
  try {
    const turns = new RenderQueue()
    const slow = () => new Promise((resolve) => setTimeout(resolve, 10_000))
    const both = Promise.all([1, 2].map(() => turns.take({ visitor: 'a' }, slow)))
    const began = Date.now()
    await vi.runAllTimersAsync()
    await both
    expect(Date.now() - began).toBe(10_000 + 2_000 + 2_000 + 10_000 + 2_000 + 2_000)
  } finally {
    clock.mockRestore()
    load.mockRestore()
    vi.useRealTimers()
  }
})
