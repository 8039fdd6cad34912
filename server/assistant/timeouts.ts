/**
 * How long each part of an answer is waited for, in milliseconds: whoever asks in public has all of it within 20 s (C-27),
 * whatever hangs.
 */
export const WAITS = {
  /** Gathering and wording together. */
  answer: 16_000,
  /** Knowledge and places (000 §9). */
  lookUp: 8_000,
  /** Knowledge beside an answer that stands without it: numbers to call do not wait for a page. */
  lookUpBeside: 1_500,
  /** The own profile: an answer without it comes soon enough to help. */
  own: 1_500,
  /** The copy of a conversation, before and after. */
  keeping: 1_500,
} as const

export type Waits = { readonly [key in keyof typeof WAITS]: number }
