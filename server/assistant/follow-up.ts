import type { Danger } from '#shared/assistant/intents.ts'
import type { Conversation } from './conversation-input.ts'
import type { Understand, Understood } from './understanding/interpretation.ts'

export interface Following {
  understood: Understood
  /** Of the question, or of the one before where this one only says which country it is about. */
  dangers: readonly Danger[]
  /** The question, or the one before where this one only names a country, may be about this danger. */
  possible: Danger | null
  /** There were signs of danger in this question or in one before it. */
  isInDanger: boolean
  /** The last country in which somebody said to be, here or before. */
  country: string | null
}

interface Circumstances extends Conversation {
  now: Date
  chosen: Parameters<Understand>[1]['chosen']
  interfaceLanguage: string | null
}

/** Understands a question in the light of those before it: "and on Sunday?", "in Riyadh". */
export function follow(
  understand: Understand,
  { question, history, now, chosen, interfaceLanguage }: Circumstances,
): Following {
  const turns = [...history, { sender: 'user' as const, content: question }]
  const questions = turns.filter(({ sender }) => sender === 'user').map(({ content }) => content)
  // The question itself is the last of them.
  return questions.reduce<Following | null>((before, content) => {
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
  }, null)!
}

/** Whoever was asked for the country, and names it, is still in danger. */
function dangersIn({ analysis, isFollowUp }: Understood, before: Following | null): readonly Danger[] {
  if (analysis.dangers.length > 0) return analysis.dangers
  const wasUnplaced = before && before.dangers.length > 0 && !before.country
  return wasUnplaced && isFollowUp && analysis.entities.country ? before.dangers : []
}

function possibleIn({ analysis, isFollowUp }: Understood, before: Following | null): Danger | null {
  if (analysis.possible_danger) return analysis.possible_danger
  return isFollowUp && analysis.entities.country ? (before?.possible ?? null) : null
}
