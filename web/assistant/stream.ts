import type { ChatReply, ChatRequest } from '#shared/assistant/chat.ts'
import { PUBLIC_TIMEOUT_MS } from '#shared/assistant/limits.ts'
import type { Lead } from './conversation.ts'

export interface StreamEvent {
  event: string
  data: string
}

/** Events of a stream (text/event-stream) as they arrive, independent of chunk boundaries. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      text += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r(?!\n)/)
      // An event without a closing empty line is incomplete; at the end of the stream it is dropped.
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function eventOf(block: string): StreamEvent | undefined {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^(\w+):?\s?(.*)$/s.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return data.length > 0 ? { event, data: data.join('\n') } : undefined
}

/** Why there is no answer: the server's own text, or 'offline', 'timeout', 'network'. */
export class NoAnswer extends Error {
  readonly code: string

  constructor(code: string, message = '') {
    super(message)
    this.code = code
  }
}

export interface StreamListener {
  onStart: (lead: Lead) => void
  onText: (text: string) => void
}

const ADDRESS = '/api/public/chat/stream'

/** Asks the assistant and reports the answer as it arrives. Rejects with NoAnswer, or as the signal was aborted. */
export async function askStreamed(body: ChatRequest, hearing: StreamListener, signal: AbortSignal): Promise<ChatReply> {
  const patience = createPatience(signal)
  try {
    const response = await fetch(ADDRESS, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
      signal: patience.signal,
    })
    if (!response.ok || !response.body) throw toNoAnswer(await response.json().catch(() => null))
    for await (const { event, data } of eventsOf(response.body)) {
      patience.renew()
      const payload = JSON.parse(data)
      if (event === 'start') hearing.onStart(payload)
      if (event === 'words') hearing.onText(textOf(payload, 'text'))
      if (event === 'failure') throw toNoAnswer(payload)
      if (event === 'answer') return payload
    }
    throw new NoAnswer('network')
  } catch (error) {
    if (signal.aborted || error instanceof NoAnswer) throw error
    throw new NoAnswer(patience.isOver() ? 'timeout' : 'network')
  } finally {
    patience.end()
  }
}

const toNoAnswer = (payload: { error?: unknown; code?: unknown } | null) =>
  new NoAnswer(String(payload?.code ?? 'failed'), typeof payload?.error === 'string' ? payload.error : '')

const textOf = (payload: unknown, name: string): string => {
  const text = typeof payload === 'string' ? payload : (payload as Record<string, unknown> | null)?.[name]
  return typeof text === 'string' ? text : ''
}

/** Aborts if nothing at all has arrived within the maximum wait. */
function createPatience(signal: AbortSignal) {
  const limit = new AbortController()
  let timer = setTimeout(() => limit.abort(), PUBLIC_TIMEOUT_MS)
  return {
    signal: AbortSignal.any([signal, limit.signal]),
    isOver: () => limit.signal.aborted,
    renew() {
      clearTimeout(timer)
      timer = setTimeout(() => limit.abort(), PUBLIC_TIMEOUT_MS)
    },
    end: () => clearTimeout(timer),
  }
}
