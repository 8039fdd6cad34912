import type { ConversationSummary } from '#shared/assistant/conversations.ts'
import { MAX_BACKUP_MESSAGES, MAX_CONVERSATIONS } from '#shared/assistant/limits.ts'
import { call } from '#web/lib/call.ts'
import type { Copy } from './backup.ts'
import type { LocalStore } from './local-store.ts'

/** Deleted for good, here or on another device. */
const DELETED = 410

/** Copies the server does not have. A full list says nothing about conversations older than its last entry. */
export function missing(
  copies: readonly Copy[],
  listed: readonly Pick<ConversationSummary, 'id' | 'lastActivity'>[],
): Copy[] {
  const known = new Set(listed.map(({ id }) => id))
  const [first = ''] = listed.map(({ lastActivity }) => lastActivity).sort()
  const oldest = listed.length < MAX_CONVERSATIONS ? '' : first
  return copies.filter(({ id, lastActivity }) => !known.has(id) && lastActivity > oldest)
}

/** Restores those copies to the server; deleted ones are dropped here as well. Returns whether the list changed. */
export async function bringBack(shelf: LocalStore, listed: readonly ConversationSummary[]): Promise<boolean> {
  let isChanged = false
  for (const copy of missing(shelf.read(), listed)) {
    try {
      await call('POST /ai/conversations', { body: bodyOf(copy) })
      shelf.save({ ...copy, isOnServer: true })
      isChanged = true
    } catch (error) {
      // On any other failure the copy stays for the next attempt.
      if ((error as { status?: number }).status === DELETED) shelf.drop(copy.id)
    }
  }
  return isChanged
}

const bodyOf = ({ id, title, messages }: Copy) => ({
  id,
  title,
  messages: messages.slice(-MAX_BACKUP_MESSAGES).map(({ sender, content, timestamp }) => ({
    sender_type: sender,
    content,
    created_at: timestamp,
  })),
})
