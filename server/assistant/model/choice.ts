import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { Choosable, Pick } from '../composing/arrangement.ts'

/** The model's output: ids in order, and no text shown to users. */
export interface Choice {
  picks: readonly Pick[]
  model: string
  tokens: number
}

export interface ChoiceRequest {
  language: AssistantLanguage
  choosable: readonly Choosable[]
  question: string
  /** The last messages, oldest first. */
  history: readonly { sender: 'user' | 'assistant'; content: string }[]
  visitor: string
  options: { model?: string; temperature?: number; max_tokens?: number }
  /** Aborts when the caller's time is up: public callers get an answer within 20 s. */
  signal: AbortSignal
}

/**
 * Lets the model choose what comes first. Null: the model may not be called (switched off, or its calls are used up).
 */
export type Choose = (request: ChoiceRequest) => Promise<Choice | null>
