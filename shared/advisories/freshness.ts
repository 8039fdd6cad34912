/** The columns that decide whether a source counts as confirmed. Instants are dates in SQL rows, text in JSON. */
export interface SourceClock {
  is_enabled: boolean
  /** 'manual' has no feed: administrators write its advisories. */
  reader?: string
  interval_seconds: number
  last_attempt_at: Date | string | null
  last_success_at: Date | string | null
  /** Error of the last attempt; null if it succeeded. */
  error: string | null
  captured_on: string | null
}

export type SourceStateName = 'confirmed' | 'not_confirmed' | 'captured' | 'manual' | 'off'

/** More detailed than the state of a source: why it cannot be confirmed. */
export const SOURCE_READINGS = ['confirmed', 'late', 'failed', 'not_read', 'copy', 'manual', 'off'] as const
export type SourceReading = (typeof SOURCE_READINGS)[number]

export interface SourceStatus {
  state: SourceStateName
  /** Last time the source was confirmed; null if it never was, or if it is confirmed now. */
  not_confirmed_since: Date | null
  /** The next instant at which the state changes by time alone; null when only an event can change it. */
  valid_until: Date | null
}

/** One missed interval may be a slow network; after two the source counts as late. */
const LATE_AFTER_INTERVALS = 2

/** Whether the content shown for a source is confirmed at this moment. */
export function stateOf(source: SourceClock, now: Date): SourceStatus {
  if (!source.is_enabled) return undatedStatus('off')
  if (source.reader === 'manual') return undatedStatus('manual')
  const reached = instant(source.last_success_at)
  if (reached === null) return source.captured_on ? undatedStatus('captured') : undatedStatus('not_confirmed')
  const late = reached + LATE_AFTER_INTERVALS * source.interval_seconds * 1000
  if (source.error !== null || now.getTime() >= late) {
    return { state: 'not_confirmed', not_confirmed_since: new Date(reached), valid_until: null }
  }
  return { state: 'confirmed', not_confirmed_since: null, valid_until: new Date(late) }
}

interface Feed {
  authority: string
  state: SourceStateName
}

const TRUST: Record<SourceStateName, number> = { confirmed: 0, manual: 1, captured: 2, not_confirmed: 3, off: 4 }

/** One entry per authority: the feed in the best state. Feeds that are switched off are left out. */
export function byAuthority<T extends Feed>(feeds: readonly T[]): T[] {
  const best = new Map<string, T>()
  for (const feed of feeds) {
    const known = best.get(feed.authority)
    if (feed.state !== 'off' && (!known || TRUST[feed.state] < TRUST[known.state])) best.set(feed.authority, feed)
  }
  return [...best.values()]
}

/** "4 of 5 sources confirmed": manual sources have nothing to confirm and are not counted. */
export function countConfirmed(feeds: readonly Feed[]): { confirmed: number; total: number } {
  const counted = byAuthority(feeds).filter(({ state }) => state !== 'manual')
  return { confirmed: counted.filter(({ state }) => state === 'confirmed').length, total: counted.length }
}

function undatedStatus(state: SourceStateName): SourceStatus {
  return { state, not_confirmed_since: null, valid_until: null }
}

/** "failed" and "not_read" mean that the source was never read, so nothing is known about its content. */
export function readingOf({ state, not_confirmed_since }: SourceStatus, { error }: Pick<SourceClock, 'error'>) {
  if (state === 'captured') return 'copy'
  if (state !== 'not_confirmed') return state
  if (not_confirmed_since) return 'late'
  return error === null ? 'not_read' : 'failed'
}

/** Whether a source was ever read, from its feed or from a snapshot. */
export const isRead = ({ reading }: { reading: SourceReading }): boolean =>
  reading === 'confirmed' || reading === 'late' || reading === 'copy'

/** Until one feed was read, an empty list means nothing, not even that no source lists an advisory. */
export const isAnythingRead = (sources: readonly { reading: SourceReading }[]): boolean => sources.some(isRead)

/** Solid is known, dashed is not: only confirmed or manually maintained sources are solid. */
export const isVouchedFor = ({ state }: { state: SourceStateName }): boolean =>
  state === 'confirmed' || state === 'manual'

/** Source status of one advisory: an advisory from a snapshot is not confirmed merely because its source is. */
export function sourceForAdvisory<
  S extends { state: SourceStateName; reading: SourceReading; captured_on: string | null },
>(source: S, { captured_on }: { captured_on: string | null }): S {
  return !captured_on || source.state !== 'confirmed'
    ? source
    : { ...source, state: 'captured', reading: 'copy', captured_on }
}

/** Milliseconds, or null for a missing or invalid instant, which never counts as reached. */
function instant(value: Date | string | null): number | null {
  if (value === null) return null
  const time = new Date(value).getTime()
  return Number.isNaN(time) ? null : time
}
