/** Conversation limits that the screen needs too. No schemas here, to keep them out of the screen's bundle. */

/** Maximum question length; a longer one is rejected with this figure. */
export const MAX_QUESTION = 2000
/** Number of recent messages that are read (000 §9). */
export const LAST_MESSAGES = 10
/**
 * Tokens the chat screen requests from a model, and the maximum for any caller; other callers default to 1500 (000 §9).
 */
export const SCREEN_TOKENS = 2000
/** How long a page waits for an answer (000 §7, C-27). */
export const PUBLIC_TIMEOUT_MS = 20_000

/** Characters of a conversation included in a hand-over; of a longer one, the end is used. */
export const MAX_TRANSCRIPT = 20_000

/** Maximum conversations in each list: on the server, in a browser, and in search results (000 §9). */
export const MAX_CONVERSATIONS = 50
export const MAX_LOCAL_CONVERSATIONS = 20
export const MAX_RESULTS = 20
/** Maximum messages per conversation in a browser's backup. */
export const MAX_BACKUP_MESSAGES = 50

export const UNTITLED = ['New Conversation', 'New Chat'] as const
const TITLE = 50
const EARLIEST_CUT = 20

/** Title from the first words: at most 50 characters, cut at a word boundary after the 20th, with an ellipsis. */
export function titleOf(text: string): string {
  const line = [...text.replace(/\s+/gu, ' ').trim()]
  if (line.length <= TITLE) return line.join('')
  const head = line.slice(0, TITLE - 1)
  const boundary = head.lastIndexOf(' ')
  return `${head
    .slice(0, boundary > EARLIEST_CUT ? boundary : head.length)
    .join('')
    .trimEnd()}…`
}
