import type { ChatReply, ChatRequest } from '#shared/assistant/chat.ts'
import { call } from '#web/lib/call.ts'
import { askStreamed, type Hearing, NoAnswer } from './stream.ts'

/** Asks as the person wishes: word by word as the answer comes about, or whole. Rejects with NoAnswer, or as aborted. */
export async function ask(body: ChatRequest, isStreamed: boolean, hearing: Hearing, signal: AbortSignal) {
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

/** In its words where the server said why; otherwise the code says it. */
export const errorFrom = (error: unknown) =>
  error instanceof NoAnswer ? { code: error.code, error: error.message } : { code: 'failed', error: '' }

export type Reply = ChatReply
