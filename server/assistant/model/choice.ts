import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { Pick } from '../composing/arrangement.ts'

/** A statement that may change its place, with the id by which a model names it. Its text is read, never repeated. */
export interface Choosable {
  id: string
  text: string
}

/** What a model answered: ids in an order, nothing that a reader sees. */
export interface Choice {
  picks: readonly Pick[]
  model: string
  tokens: number
}

export interface ChoiceRequest {
  language: AssistantLanguage
  choosable: readonly Choosable[]
  question: string
  /** The last messages, the oldest first. */
  history: readonly { sender: 'user' | 'assistant'; content: string }[]
  visitor: string
  options: { model?: string; temperature?: number; max_tokens?: number }
  /** Ends with the caller's patience: whoever asks in public has an answer within 20 s. */
  signal: AbortSignal
}

/** Has a model choose what comes first. Null: no model may be asked now (switched off, or its calls are spent). */
export type Choosing = (request: ChoiceRequest) => Promise<Choice | null>
