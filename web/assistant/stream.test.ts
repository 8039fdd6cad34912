import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PUBLIC_TIMEOUT_MS } from '#shared/assistant/limits.ts'
import { askStreamed, eventsOf, type StreamEvent } from './stream.ts'
import { metadata } from './testing.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const bodyOf = (pieces: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(stream) {
      for (const piece of pieces) stream.enqueue(piece)
      stream.close()
    },
  })
const bytes = (text: string) => new TextEncoder().encode(text)

async function all(body: ReadableStream<Uint8Array>) {
  const events: StreamEvent[] = []
  for await (const event of eventsOf(body)) events.push(event)
  return events
}

describe('the events of a stream', () => {
  test('do not depend on chunk boundaries', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(texts, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (chunks, sizes) => {
        const events = chunks.map((text) => ({ event: 'words', data: JSON.stringify({ text }) }))
        const whole = bytes(events.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join(': beat\n\n'))
        const pieces: Uint8Array[] = []
        for (let from = 0; from < whole.length; ) {
          const size = sizes.next().value!
          pieces.push(whole.slice(from, from + size))
          from += size
        }
        expect(await all(bodyOf(pieces))).toEqual(events)
      }),
    )
  })

  test('an interrupted event is dropped', async () => {
    expect(await all(bodyOf([bytes('event: words\ndata: "a"\n\nevent: answer\ndata: {"con')]))).toEqual([
      { event: 'words', data: '"a"' },
    ])
  })
})

const ask = (hearing: Partial<Parameters<typeof askStreamed>[1]> = {}, signal = new AbortController().signal) =>
  askStreamed({ save: true }, { onStart: () => {}, onText: () => {}, ...hearing }, signal)
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const served = (text: string, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(text, { status, headers: { 'content-type': 'text/event-stream' } }))

describe('an answer', () => {
  test('is reported as it arrives', async () => {
    const received: unknown[] = []
    const whole = { content: 'It is a seminar.', metadata: metadata() }
    served(
      event('start', { notice: null, language: 'en' }) + event('words', { text: 'It is' }) + event('answer', whole),
    )
    const reply = await ask({
      onStart: (lead) => received.push(lead),
      onText: (text) => received.push(text),
    })
    expect(received).toEqual([{ notice: null, language: 'en' }, 'It is'])
    expect(reply).toMatchObject(whole)
  })

  test.each([
    [
      'a failure within the stream',
      event('failure', { error: 'Failed to get AI response', code: 'late' }),
      200,
      'late',
    ],
    ['a refusal', '{"success":false,"error":"Too often.","code":"too_many"}', 429, 'too_many'],
    ['an end without an answer', event('words', { text: 'It' }), 200, 'network'],
    ['something that is no answer', 'event: answer\ndata: <html>\n\n', 200, 'network'],
    ['a failure without words', '<html>', 502, 'failed'],
  ])('fails with %s', async (_, text, status, code) => {
    served(text, status)
    await expect(ask()).rejects.toMatchObject({ code })
  })

  test('times out after the maximum wait', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    })
    const result = ask().catch((error) => error)
    await vi.advanceTimersByTimeAsync(PUBLIC_TIMEOUT_MS)
    expect(await result).toMatchObject({ code: 'timeout' })
  })

  test('is abandoned when stopped', async () => {
    const control = new AbortController()
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    })
    const result = ask({}, control.signal).catch((error) => error)
    control.abort()
    expect(await result).toMatchObject({ name: 'AbortError' })
  })
})
