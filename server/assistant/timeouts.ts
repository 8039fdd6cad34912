/**
 * Timeouts of the parts of an answer, in milliseconds. A public caller gets the complete answer within 20 s (C-27),
 * even if some part hangs.
 */
export const WAITS = {
  /** Gathering and wording together. */
  answer: 16_000,
  /** Knowledge base and places (000 §9). */
  lookUp: 8_000,
  /** Knowledge base when the answer is complete without it: numbers to call do not wait for a page. */
  lookUpBeside: 1_500,
  /** The user's own profile; an answer without it still arrives in time to help. */
  own: 1_500,
  /** Looking up and saving a conversation. */
  keeping: 1_500,
} as const

export type Waits = { readonly [key in keyof typeof WAITS]: number }
