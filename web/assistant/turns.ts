import { LAST_MESSAGES } from '#shared/assistant/limits.ts'

/** An earlier message, sent along with the next question. */
export interface ConversationTurn {
  sender: 'user' | 'assistant'
  content: string
}

/** Characters of one earlier message that are sent again. */
export const MAX_TURN_LENGTH = 4_000

/** The last turns, as many as the server reads. */
export const turnsOf = (messages: readonly ConversationTurn[], max = LAST_MESSAGES): ConversationTurn[] =>
  messages
    .slice(-max)
    .map(({ sender, content }) => ({ sender, content: content.slice(0, MAX_TURN_LENGTH) }))
    .filter(({ content }) => content.trim() !== '')

/** The new question counts as one of them. */
const EARLIER = LAST_MESSAGES - 1

/** Hidden field values: without scripts the page itself contains the conversation. */
export const fieldsOf = (messages: readonly ConversationTurn[]): string[] =>
  turnsOf(messages, EARLIER).map((turn) => JSON.stringify(turn))

/** Parses the hidden fields. Untrusted input: anything that is not a turn is ignored. */
export function turnsIn(values: readonly unknown[]): ConversationTurn[] {
  const turns = values.slice(0, 2 * LAST_MESSAGES).flatMap((value) => {
    const turn = parsed(value)
    return turn ? [turn] : []
  })
  return turnsOf(turns, EARLIER)
}

function parsed(value: unknown): ConversationTurn | undefined {
  if (typeof value !== 'string') return undefined
  try {
    const { sender, content } = JSON.parse(value)
    if ((sender !== 'user' && sender !== 'assistant') || typeof content !== 'string') return undefined
    return { sender, content: content.replaceAll('\0', '') }
  } catch {
    return undefined
  }
}
