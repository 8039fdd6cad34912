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
  /** null until the first load. */
  content: TickerContent | null
  /** Why the latest load failed. */
  problem: string | null
}

export type TickerLook = 'loading' | 'error' | 'empty' | 'static' | 'scrolling'

/** One of five states. Loaded content stays when a later load fails. */
export function lookOf({ content, problem }: TickerState, mayMove: boolean): TickerLook {
  if (!content) return problem === null ? 'loading' : 'error'
  if (content.items.length === 0) return 'empty'
  return mayMove ? 'scrolling' : 'static'
}

/** Twice the number shown, so that enough remain after cleaning and removing duplicates (000 §9). */
export const fetchLimit = (maxItems = TICKER_DEFAULT_ITEMS) => 2 * maxItems

let running: Promise<TickerContent> | undefined

/** Loads the ticker. Concurrent callers on a page share one fetch. */
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
