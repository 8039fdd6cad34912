import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { Pick } from '../composing/arrangement.ts'

/** A statement that may be reordered, with its id for the model. The model reads its text and never writes it. */
export interface Choosable {
  id: string
  text: string
}

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
