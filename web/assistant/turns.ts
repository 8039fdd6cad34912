import { LAST_MESSAGES } from '#shared/assistant/limits.ts'

/** What was said before, as it goes with the next question. */
export interface ConversationTurn {
  sender: 'user' | 'assistant'
  content: string
}

/** Of one earlier message so much is sent again. */
export const MAX_TURN_LENGTH = 4_000

/** The last of them, as many as are read. */
export const turnsOf = (messages: readonly ConversationTurn[], max = LAST_MESSAGES): ConversationTurn[] =>
  messages
    .slice(-max)
    .map(({ sender, content }) => ({ sender, content: content.slice(0, MAX_TURN_LENGTH) }))
    .filter(({ content }) => content.trim() !== '')

/** A new question is itself the last that is read. */
const EARLIER = LAST_MESSAGES - 1

/** As values of hidden fields: without scripts the page itself remembers what was said on it. */
export const fieldsOf = (messages: readonly ConversationTurn[]): string[] =>
  turnsOf(messages, EARLIER).map((turn) => JSON.stringify(turn))

/** Back from the hidden fields. They come from outside: whatever is no turn is left out. */
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
