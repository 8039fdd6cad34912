export type Send = (event: string, data: unknown) => void

/** A connection that nobody writes to is closed by those between. */
const BEAT_MS = 5_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Nothing between may collect it first.
  'x-accel-buffering': 'no',
}

/** Server-sent events of some work, beginning at once. The work is told when the reader goes; the stream ends with it. */
export function eventStream(work: (send: Send, signal: AbortSignal) => Promise<void>): Response {
  const gone = new AbortController()
  const encoder = new TextEncoder()
  let beat: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      const write = (text: string) => {
        if (!gone.signal.aborted) stream.enqueue(encoder.encode(text))
      }
      beat = setInterval(() => write(': still here\n\n'), BEAT_MS)
      beat.unref()
      // A line break of a text is `\n` in JSON: one line is one event.
      void work((event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`), gone.signal).finally(
        () => {
          clearInterval(beat)
          if (!gone.signal.aborted) stream.close()
        },
      )
    },
    cancel() {
      clearInterval(beat)
      gone.abort()
    },
  })
  return new Response(body, { headers: HEADERS })
}
