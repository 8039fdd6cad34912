import type { Danger } from '#shared/assistant/intents.ts'
import type { Conversation } from './cleaning.ts'
import type { Understand, Understood } from './understanding/understood.ts'

export interface Following {
  understood: Understood
  /** Of the question, or of the one before where this one only says which country it is about. */
  dangers: readonly Danger[]
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
  let before: Following | null = null
  for (const { sender, content } of [...history, { sender: 'user' as const, content: question }]) {
    if (sender !== 'user') continue
    const understood = understand(content, {
      now,
      chosen: chosen ?? null,
      interfaceLanguage: before?.understood.language ?? interfaceLanguage,
      previous: before?.understood.analysis.entities ?? null,
      previousIntent: before?.understood.analysis.intent ?? null,
    })
    before = { understood, dangers: dangersIn(understood, before) }
  }
  // The question itself is the last of them.
  return before!
}

/** Whoever was asked for the country, and names it, is still in danger. */
function dangersIn({ analysis, isFollowUp }: Understood, before: Following | null): readonly Danger[] {
  if (analysis.dangers.length > 0) return analysis.dangers
  const { country, destination } = before?.understood.analysis.entities ?? {}
  const wasUnplaced = before && before.dangers.length > 0 && !country && !destination
  return wasUnplaced && isFollowUp && (analysis.entities.country ?? analysis.entities.destination) ? before.dangers : []
}
