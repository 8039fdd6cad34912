/** Numbers and rules of conversations that the screen needs too: without schemas, since it would carry them along. */

/** The longest question that is read; a longer one is refused with this figure. */
export const MAX_QUESTION = 2000
/** How many of the last messages are read (000 §9). */
export const LAST_MESSAGES = 10
/** So many tokens the chat screen asks a model for, and nobody gets more; other callers get 1500 unless told (000 §9). */
export const SCREEN_TOKENS = 2000
/** How long a page waits for an answer (000 §7, C-27). */
export const PUBLIC_TIMEOUT_MS = 20_000

/** Of the words of a conversation that are handed over; of a longer one its end. */
export const MAX_TRANSCRIPT = 20_000

/** Of the lists: on the server, in a browser, and found by a search (000 §9). */
export const MAX_CONVERSATIONS = 50
export const MAX_LOCAL_CONVERSATIONS = 20
export const MAX_RESULTS = 20
/** Messages of one conversation in a browser's backup. */
export const MAX_BACKUP_MESSAGES = 50

export const UNTITLED = ['New Conversation', 'New Chat'] as const
const TITLE = 50
const EARLIEST_CUT = 20

/** The first words as a title: at most 50 characters, cut at a word boundary after the 20th, with an ellipsis. */
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
