import type { AnswerMetadata } from '#shared/assistant/answer.ts'
import { titleOf, UNTITLED } from '#shared/assistant/limits.ts'
import { answer, hasDanger, question, type ShownMessage } from './messages.ts'

/** Metadata of an answer that arrives before its text. */
export type Lead = Partial<Pick<AnswerMetadata, 'danger' | 'notice' | 'language' | 'direction'>>

/** An answer while it is streamed. */
export interface Draft extends Lead {
  id: string
  content: string
}

export interface AnswerError {
  /** 'offline', 'timeout', 'network', or the server's error code. */
  code: string
  error: string
}

export interface Conversation {
  /** Empty before the first question. */
  id: string
  title: string
  messages: ShownMessage[]
  /** Waiting for the first token, streaming, or idle. */
  phase: 'idle' | 'waiting' | 'writing'
  draft: Draft | null
  /** Why the last question has no answer; it can be retried. */
  error: AnswerError | null
  /** The server has a copy. */
  isOnServer: boolean
  /** The user wants it saved on this device although it involves danger. */
  isSavedLocally: boolean
}

export type ConversationAction =
  | { type: 'asked'; id: string; conversationId: string; content: string; at: string }
  | { type: 'asked again' }
  | { type: 'began'; id: string; lead: Lead }
  | { type: 'words'; text: string }
  | { type: 'answered'; id: string; content: string; metadata: AnswerMetadata; at: string }
  | { type: 'stopped'; at: string }
  | { type: 'failed'; error: AnswerError }
  | { type: 'opened'; conversation: Conversation }
  | { type: 'renamed'; title: string }
  | { type: 'kept here'; isSaved: boolean }

export const isUntitled = (title: string) => (UNTITLED as readonly string[]).includes(title)

export const begun = (
  id: string,
  messages: ShownMessage[] = [],
  title: string = UNTITLED[0],
  isOnServer = false,
): Conversation => ({
  id,
  title: isUntitled(title) ? titleFrom(messages, title) : title,
  messages,
  phase: 'idle',
  draft: null,
  error: null,
  isOnServer,
  isSavedLocally: false,
})

/** Reducer of a conversation. */
export function conversationReducer(before: Conversation, happening: ConversationAction): Conversation {
  const isRunning = before.phase !== 'idle'
  switch (happening.type) {
    case 'asked': {
      const messages = [...before.messages, question(happening.id, happening.content, happening.at)]
      const title = isUntitled(before.title) ? titleFrom(messages, before.title) : before.title
      const id = before.id || happening.conversationId
      return { ...before, id, title, messages, phase: 'waiting', draft: null, error: null }
    }
    case 'asked again':
      return { ...before, phase: 'waiting', draft: null, error: null }
    case 'began':
      if (!isRunning) return before
      return {
        ...before,
        messages: delivered(before.messages),
        draft: { ...happening.lead, id: before.draft?.id ?? happening.id, content: before.draft?.content ?? '' },
      }
    case 'words': {
      if (!isRunning || !before.draft) return before
      const content = before.draft.content + happening.text
      return { ...before, phase: 'writing', draft: { ...before.draft, content } }
    }
    case 'answered': {
      if (!isRunning) return before
      const { content, metadata, at } = happening
      const whole = answer(
        before.draft?.id ?? happening.id,
        { content, timestamp: at, replyTo: lastQuestionId(before) },
        metadata,
      )
      return {
        ...before,
        id: metadata.conversation_id ?? before.id,
        isOnServer: before.isOnServer || metadata.conversation_id !== null,
        messages: [...delivered(before.messages), whole],
        phase: 'idle',
        draft: null,
        error: null,
      }
    }
    case 'stopped':
      return isRunning ? { ...stop(before, happening.at), phase: 'idle', draft: null } : before
    case 'failed':
      return isRunning ? { ...before, phase: 'idle', draft: null, error: happening.error } : before
    case 'opened':
      return happening.conversation
    case 'renamed':
      return { ...before, title: happening.title }
    case 'kept here':
      return { ...before, isSavedLocally: happening.isSaved }
  }
}

/**
 * Also true while the answer that says so is still streaming. From then on nothing of the conversation is stored on the
 * server.
 */
export const isInDanger = ({ messages, draft }: Conversation): boolean => Boolean(draft?.danger) || hasDanger(messages)

/** Everything is stored on the server. */
export const isWhollyOnServer = (conversation: Conversation): boolean =>
  conversation.isOnServer && !isInDanger(conversation)

/** The question that is waiting for an answer, or that failed. */
export function unanswered({ messages }: Conversation): ShownMessage | undefined {
  const last = messages.at(-1)
  return last?.sender === 'user' ? last : undefined
}

function stop(before: Conversation, at: string): Conversation {
  const { draft } = before
  if (!draft || (draft.content === '' && !draft.danger)) {
    return { ...before, error: { code: 'stopped', error: '' } }
  }
  const { id, content, ...lead } = draft
  const partial = answer(id, { content, timestamp: at, replyTo: lastQuestionId(before) }, lead)
  return { ...before, messages: [...delivered(before.messages), { ...partial, isCancelled: true }] }
}

const lastQuestionId = ({ messages }: Conversation) => unanswered({ messages } as Conversation)?.id ?? null

const delivered = (messages: ShownMessage[]): ShownMessage[] =>
  messages.map((message) => (message.status === 'sending' ? { ...message, status: 'delivered' } : message))

function titleFrom(messages: readonly ShownMessage[], otherwise: string): string {
  const first = messages.find(({ sender }) => sender === 'user')
  return (first && titleOf(first.content)) || otherwise
}
