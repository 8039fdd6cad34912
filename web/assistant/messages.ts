import type { Answer, AnswerMetadata, ChatMessage } from '#shared/assistant/answer.ts'
import type { ChatReply } from '#shared/assistant/chat.ts'
import type { StoredMessage } from '#shared/assistant/conversations.ts'
import type { ConversationTurn } from './turns.ts'

/** A message of the screen. */
export interface Shown extends Omit<ChatMessage, 'metadata'> {
  /** Of an answer as far as it is there: what leads it comes before its words, and stays when it is stopped. */
  metadata: Partial<AnswerMetadata> | null
  isStopped?: boolean
}

/** Something the visitor wrote. */
export const question = (id: string, content: string, timestamp: string): Shown => ({
  id,
  content,
  sender: 'user',
  timestamp,
  status: 'sending',
  format: 'text',
  replyTo: null,
  metadata: null,
})

/** An answer, whole or as far as it came. */
export const answer = (
  id: string,
  { content, timestamp, replyTo }: { content: string; timestamp: string; replyTo: string | null },
  metadata: Shown['metadata'],
): Shown => ({
  id,
  content,
  sender: 'assistant',
  timestamp,
  status: 'delivered',
  format: 'markdown',
  replyTo,
  metadata,
})

export const fromStored = (stored: StoredMessage): Shown => ({
  id: stored.id,
  content: stored.content,
  sender: stored.sender_type,
  timestamp: stored.created_at,
  status: 'delivered',
  format: stored.format,
  replyTo: stored.reply_to,
  metadata: stored.metadata,
})

/** The same answer stands in a reply under several names of the specification. */
export const contentOf = (reply: ChatReply | Answer): string =>
  'ai_response' in reply ? reply.ai_response.content : reply.content

/** What a page without scripts handed back of itself. */
export const fromTurns = (turns: readonly ConversationTurn[], timestamp: string): Shown[] =>
  turns.map(({ sender, content }, i) =>
    sender === 'user'
      ? { ...question(`turn-${i}`, content, timestamp), status: 'delivered' }
      : answer(`turn-${i}`, { content, timestamp, replyTo: null }, null),
  )

const GROUP_MS = 5 * 60_000

/** Messages of one sender in a row, soon after each other, are a group: only the first one says whose they are. */
export function beginsGroup(messages: readonly Shown[], at: number, isGrouping: boolean): boolean {
  const [before, message] = [messages[at - 1], messages[at]!]
  if (!isGrouping || before?.sender !== message.sender) return true
  return Date.parse(message.timestamp) - Date.parse(before.timestamp) > GROUP_MS
}

/** In a conversation with danger nothing is kept in the browser unless somebody wants it. */
export const hasDanger = (messages: readonly Shown[]): boolean => messages.some(({ metadata }) => metadata?.danger)
