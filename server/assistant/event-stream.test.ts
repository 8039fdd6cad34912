import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventStream } from './event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an event is one line of data, whatever its text', async () => {
  const response = eventStream(async (send) => send('words', { text: 'One\n\ndata: two\r\nevent: three' }))
  expect(await response.text()).toBe('event: words\ndata: {"text":"One\\n\\ndata: two\\r\\nevent: three"}\n\n')
})

test('an idle connection is kept alive until the stream ends', async () => {
  const response = eventStream(async (send) => {
    await new Promise((done) => setTimeout(done, 12_000))
    send('answer', {})
  })
  const text = response.text()
  await vi.advanceTimersByTimeAsync(12_000)
  expect((await text).match(/^: still here$/gm)).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('a disconnect aborts the work, and its further output is discarded', async () => {
  let hasHeard = false
  const response = eventStream(async (send, gone) => {
    await new Promise<void>((done) => gone.addEventListener('abort', () => done()))
    hasHeard = true
    send('answer', {})
  })
  await response.body!.cancel()
  await vi.advanceTimersByTimeAsync(1)
  expect([hasHeard, vi.getTimerCount()]).toEqual([true, 0])
})
