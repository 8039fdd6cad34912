import type { Draft } from '../drafts.ts'

export interface Phrased {
  /** Markdown whose every link was put back by the portal and whose every statement is one of the draft. */
  content: string
  model: string
  tokens: number
}

/** Puts a draft into words by a model. Null: no model may be asked now (none is set up, switched off, spent). */
export type Phrasing = (asked: {
  draft: Draft
  /** As composed by templates: what is said in place of words that fail the check. */
  composed: string
  question: string
  /** The last messages, the oldest first. */
  history: readonly { sender: 'user' | 'assistant'; content: string }[]
  visitor: string
  options: { model?: string; temperature?: number; max_tokens?: number }
  /** Ends with the caller's patience: whoever asks in public has an answer within 20 s. */
  signal: AbortSignal
  /** Called with each piece that passed the checks, while more is coming. */
  onWords?: (piece: string) => void
}) => Promise<Phrased | null>
