import type { Answer, AnswerMetadata, ChatMessage } from '#shared/assistant/answer.ts'
import type { ChatReply } from '#shared/assistant/chat.ts'
import type { StoredMessage } from '#shared/assistant/conversations.ts'
import type { ConversationTurn } from './turns.ts'

/** A message as displayed. */
export interface ShownMessage extends Omit<ChatMessage, 'metadata'> {
  /** Partial while streaming: the lead arrives before the text, and stays when the answer is stopped. */
  metadata: Partial<AnswerMetadata> | null
  isCancelled?: boolean
}

/** A message of the user. */
export const question = (id: string, content: string, timestamp: string): ShownMessage => ({
  id,
  content,
  sender: 'user',
  timestamp,
  status: 'sending',
  format: 'text',
  replyTo: null,
  metadata: null,
})

/** An answer, complete or partial. */
export const answer = (
  id: string,
  { content, timestamp, replyTo }: { content: string; timestamp: string; replyTo: string | null },
  metadata: ShownMessage['metadata'],
): ShownMessage => ({
  id,
  content,
  sender: 'assistant',
  timestamp,
  status: 'delivered',
  format: 'markdown',
  replyTo,
  metadata,
})

export const fromStored = (stored: StoredMessage): ShownMessage => ({
  id: stored.id,
  content: stored.content,
  sender: stored.sender_type,
  timestamp: stored.created_at,
  status: 'delivered',
  format: stored.format,
  replyTo: stored.reply_to,
  metadata: stored.metadata,
})

/** The specification names the answer differently in different responses. */
export const contentOf = (reply: ChatReply | Answer): string =>
  'ai_response' in reply ? reply.ai_response.content : reply.content

/** Messages restored from the hidden fields of a page without scripts. */
export const fromTurns = (turns: readonly ConversationTurn[], timestamp: string): ShownMessage[] =>
  turns.map(({ sender, content }, i) =>
    sender === 'user'
      ? { ...question(`turn-${i}`, content, timestamp), status: 'delivered' }
      : answer(`turn-${i}`, { content, timestamp, replyTo: null }, null),
  )

const GROUP_MS = 5 * 60_000

/** Consecutive messages of one sender within a short time form a group: only the first shows the sender. */
export function beginsGroup(messages: readonly ShownMessage[], at: number, isGrouping: boolean): boolean {
  const [before, message] = [messages[at - 1], messages[at]]
  if (!isGrouping || !message || before?.sender !== message.sender) return true
  return Date.parse(message.timestamp) - Date.parse(before.timestamp) > GROUP_MS
}

/** In a conversation with danger nothing is stored in the browser unless the user wants it. */
export const hasDanger = (messages: readonly ShownMessage[]): boolean =>
  messages.some(({ metadata }) => metadata?.danger)
