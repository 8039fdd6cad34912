import type { ChatReply, ChatRequest } from '#shared/assistant/chat.ts'
import { call } from '#web/lib/call.ts'
import { askStreamed, NoAnswer, type StreamListener } from './stream.ts'

/** Asks the assistant, streamed or whole as the user prefers. Rejects with NoAnswer, or as aborted. */
export async function ask(body: ChatRequest, isStreamed: boolean, hearing: StreamListener, signal: AbortSignal) {
  if (navigator.onLine === false) throw new NoAnswer('offline')
  if (isStreamed) return askStreamed(body, hearing, signal)
  try {
    return await call('POST /public/chat', { body }, { timeout: 'chat', signal })
  } catch (error) {
    if (signal.aborted) throw error
    const { code = 'network', message = '' } = error as { code?: string; message?: string }
    throw new NoAnswer(code, message)
  }
}

/** The server's own text where it gave a reason; otherwise derived from the code. */
export const errorFrom = (error: unknown) =>
  error instanceof NoAnswer ? { code: error.code, error: error.message } : { code: 'failed', error: '' }

export type Reply = ChatReply
