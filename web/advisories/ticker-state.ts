import type { TickerItem } from '#shared/advisories/endpoints.ts'
import { TICKER_DEFAULT_ITEMS } from '#shared/advisories/ticker.ts'
import type { Language } from '#shared/language.ts'
import { call } from '#web/lib/call.ts'

export interface TickerContent {
  items: TickerItem[]
  not_confirmed: string[]
  /** False until a source was read: no items then means that nothing is known. */
  has_read_sources: boolean
}

export interface TickerState {
  /** null until it was read once. */
  content: TickerContent | null
  /** Why the latest reading failed. */
  problem: string | null
}

export type TickerLook = 'loading' | 'error' | 'empty' | 'static' | 'scrolling'

/** One of five at any time. What was read stays when a later reading fails. */
export function lookOf({ content, problem }: TickerState, mayMove: boolean): TickerLook {
  if (!content) return problem === null ? 'loading' : 'error'
  if (content.items.length === 0) return 'empty'
  return mayMove ? 'scrolling' : 'static'
}

/** Twice the number shown, so that there is enough after cleaning and duplicates (000 §9). */
export const fetchLimit = (maxItems = TICKER_DEFAULT_ITEMS) => 2 * maxItems

let running: Promise<TickerContent> | undefined

/** Reads the ticker. Whoever asks while it is being read gets the same answer: one fetch at a time in the whole page. */
export function loadTicker(language: Language, maxItems?: number): Promise<TickerContent> {
  running ??= call(
    'GET /public/ticker',
    { query: { limit: fetchLimit(maxItems), lng: language } },
    { timeout: 'short', retries: 1 },
  ).finally(() => {
    running = undefined
  })
  return running
}
