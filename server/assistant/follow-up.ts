import { present } from '#shared/assert.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import type { Conversation } from './conversation-input.ts'
import type { Understand, Understood } from './understanding/interpretation.ts'

export interface FollowUp {
  understood: Understood
  /** Dangers of this question, or of the previous one if this one only names the country. */
  dangers: readonly Danger[]
  /** Possible danger of this question, or of the previous one if this one only names a country. */
  possible: Danger | null
  /** This or an earlier question shows signs of danger. */
  isInDanger: boolean
  /** The last country in which the user said they are. */
  country: string | null
}

interface FollowUpContext extends Conversation {
  now: Date
  chosen: Parameters<Understand>[1]['chosen']
  interfaceLanguage: string | null
}

/** Interprets a question in the context of earlier ones: "and on Sunday?", "in Riyadh". */
export function resolveFollowUp(
  understand: Understand,
  { question, history, now, chosen, interfaceLanguage }: FollowUpContext,
): FollowUp {
  const turns = [...history, { sender: 'user' as const, content: question }]
  const questions = turns.filter(({ sender }) => sender === 'user').map(({ content }) => content)
  // The list ends with the question itself.
  const following = questions.reduce<FollowUp | null>((before, content) => {
    const understood = understand(content, {
      now,
      chosen: chosen ?? null,
      interfaceLanguage: before?.understood.answerIn ?? interfaceLanguage,
      previousLanguage: before?.understood.answerIn ?? null,
      previous: before?.understood.analysis.entities ?? null,
      previousIntent: before?.understood.analysis.intent ?? null,
    })
    const country = understood.analysis.entities.country ?? before?.country ?? null
    const dangers = dangersIn(understood, before)
    const possible = dangers.length > 0 ? null : possibleIn(understood, before)
    const isInDanger = dangers.length > 0 || possible !== null || Boolean(before?.isInDanger)
    return { understood, dangers, possible, isInDanger, country }
  }, null)
  return present(following, 'a question')
}

/** A user who answers the question for the country is still in danger. */
function dangersIn({ analysis, isFollowUp }: Understood, before: FollowUp | null): readonly Danger[] {
  if (analysis.dangers.length > 0) return analysis.dangers
  const wasUnplaced = before && before.dangers.length > 0 && !before.country
  return wasUnplaced && isFollowUp && analysis.entities.country ? before.dangers : []
}

function possibleIn({ analysis, isFollowUp }: Understood, before: FollowUp | null): Danger | null {
  if (analysis.possible_danger) return analysis.possible_danger
  return isFollowUp && analysis.entities.country ? (before?.possible ?? null) : null
}
