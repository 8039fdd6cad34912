export type Send = (event: string, data: unknown) => void

/** Keep-alive interval: proxies close idle connections. */
const BEAT_MS = 5_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Stops proxies from buffering the response.
  'x-accel-buffering': 'no',
}

/**
 * Streams the output of `work` as server-sent events, starting at once. The signal aborts when the client disconnects;
 * the stream ends with the work.
 */
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
      // JSON escapes line breaks, so that each event is one line.
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
