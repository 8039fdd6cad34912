import { type ChatRequest, LAST_MESSAGES, MOST_QUESTION, type Turn } from '#shared/assistant/chat.ts'
import { AppError } from '#shared/errors.ts'
import { withoutControls } from './composing/markdown.ts'

export interface Said {
  sender: 'user' | 'assistant'
  content: string
}

/** A question and what was said before it, the oldest first. */
export interface Conversation {
  question: string
  history: Said[]
}

/**
 * The last words of the visitor, without control characters and marks that turn directions, and the messages before
 * them. Nothing to answer, and more than is read, are refused.
 */
export function readConversation({ messages, message }: Pick<ChatRequest, 'messages' | 'message'>): Conversation {
  const said = [...(messages ?? []), ...(message === undefined ? [] : [{ content: message } satisfies Turn])].map(
    saidIn,
  )
  const last = said.findLastIndex(({ sender, content }) => sender === 'user' && content !== '')
  const question = said[last]?.content
  if (!question) throw new AppError(400, 'no_messages', 'No messages provided')
  if ([...question].length > MOST_QUESTION)
    throw new AppError(422, 'question_too_long', TOO_LONG, { fields: { message: TOO_LONG } })
  const before = said.slice(Math.max(0, last + 1 - LAST_MESSAGES), last)
  return { question, history: before.filter(({ content }) => content !== '') }
}

const TOO_LONG = `Please ask in at most ${MOST_QUESTION} characters.`

const saidIn = ({ role, sender, content }: Turn): Said => ({
  sender: sender ?? role ?? 'user',
  content: withoutControls(content).trim(),
})
