import { MAX_BACKUP_MESSAGES, MAX_LOCAL_CONVERSATIONS, MAX_RESULTS } from '#shared/assistant/limits.ts'
import { type Conversation, isInDanger } from './conversation.ts'
import type { ShownMessage } from './messages.ts'

/** A conversation as stored in a browser. */
export interface Copy {
  id: string
  title: string
  lastActivity: string
  messages: ShownMessage[]
  /** The server has or had it too. */
  isOnServer: boolean
  isSavedLocally: boolean
}

/** Keys with this prefix are removed on sign-out (web/lib/leftovers.ts). */
export const KEYS = {
  /** In session storage: deleted with the tab. */
  visitor: 'assistant:conversations',
  /** In local storage: an anonymous visitor asked to save it. */
  saved: 'assistant:saved',
  backup: (userId: string) => `assistant:backup:${userId}`,
} as const

/**
 * The part of a conversation to store; null before the first answer, or if it involves danger and the user has not
 * asked to save it. An unanswered question is omitted, because it is not yet known what it is about.
 */
export function copyOf(conversation: Conversation): Copy | null {
  const { id, title, messages, isOnServer, isSavedLocally } = conversation
  if (isInDanger(conversation) && !isSavedLocally) return null
  const answered = messages.slice(0, messages.findLastIndex(({ sender }) => sender === 'assistant') + 1)
  const last = answered.at(-1)
  if (!last) return null
  return {
    id,
    title,
    lastActivity: last.timestamp,
    messages: answered.slice(-MAX_BACKUP_MESSAGES),
    isOnServer,
    isSavedLocally,
  }
}

/** Replaces the previous copy; the latest come first, those beyond the limit are evicted. */
export const withCopy = (copies: readonly Copy[], copy: Copy): Copy[] =>
  [copy, ...without(copies, copy.id)]
    .sort((a, b) => (a.lastActivity < b.lastActivity ? 1 : -1))
    .slice(0, MAX_LOCAL_CONVERSATIONS)

export const without = (copies: readonly Copy[], id: string): Copy[] => copies.filter((copy) => copy.id !== id)

/** Copies whose title or messages contain the text. */
export function found(copies: readonly Copy[], search: string): Copy[] {
  const wanted = search.trim().toLocaleLowerCase()
  if (wanted === '') return [...copies]
  return copies
    .filter(({ title, messages }) =>
      [title, ...messages.map(({ content }) => content)].some((text) => text.toLocaleLowerCase().includes(wanted)),
    )
    .slice(0, MAX_RESULTS)
}

/** Copies in a storage; empty if it is forbidden or contains something else. */
export function readCopies(storage: () => Storage, key: string): Copy[] {
  try {
    const copies = JSON.parse(storage().getItem(key) ?? '[]')
    return Array.isArray(copies) ? copies.filter(isCopy).slice(0, MAX_LOCAL_CONVERSATIONS) : []
  } catch {
    return []
  }
}

/** Returns whether the copies could be stored. Evicts the oldest if the storage is full. */
export function writeCopies(storage: () => Storage, key: string, copies: readonly Copy[]): boolean {
  for (let count = copies.length; count > 0; count = Math.floor(count / 2)) {
    try {
      storage().setItem(key, JSON.stringify(copies.slice(0, count)))
      return true
    } catch {
      // Full, or forbidden.
    }
  }
  return removeCopies(storage, key) && copies.length === 0
}

export function removeCopies(storage: () => Storage, key: string): boolean {
  try {
    storage().removeItem(key)
    return true
  } catch {
    return false
  }
}

const isCopy = (value: unknown): value is Copy => {
  const copy = value as Copy | null
  return (
    typeof copy?.id === 'string' &&
    typeof copy.title === 'string' &&
    typeof copy.lastActivity === 'string' &&
    Array.isArray(copy.messages) &&
    copy.messages.every((message) => typeof message?.content === 'string' && typeof message.id === 'string')
  )
}
