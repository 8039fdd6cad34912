import type { AdvisorySource } from '#shared/advisories/endpoints.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
import { isolated } from '#web/lib/format.ts'
import type { Translate } from '#web/lib/i18n.tsx'
import type { SourceRow } from './source-rows.ts'

/** How far the verdict can be trusted, in one line at the end of the head. */
export interface Doubt {
  confirmed: number
  total: number
  /** The longest ago that any confirmed source was confirmed. */
  confirmed_at: string | null
  /** Names of the sources that are not confirmed now. */
  unconfirmed: string[]
  /** Since when, if it is one source only. */
  since: string | null
  /** Without any confirmed source: the oldest copy that the verdict quotes, and the last time a source answered. */
  captured_on: string | null
  last_success_at: string | null
}

export function doubtOf(
  all: readonly AdvisorySource[],
  rows: readonly SourceRow[],
  nameOf: (source: AdvisorySource) => string,
): Doubt {
  const sources = byAuthority(all).filter(({ state }) => state !== 'manual')
  const confirmed = sources.filter(({ state }) => state === 'confirmed')
  const others = sources.filter(({ state }) => state !== 'confirmed')
  const [only] = others
  const copies = rows.flatMap(({ source, advisories }) =>
    advisories.map(({ captured_on }) => captured_on ?? (source.state === 'captured' ? source.captured_on : null)),
  )
  return {
    confirmed: confirmed.length,
    total: sources.length,
    confirmed_at: earliest(confirmed.map(({ last_success_at }) => last_success_at)),
    unconfirmed: others.map(nameOf),
    since: others.length === 1 ? (only?.not_confirmed_since ?? null) : null,
    captured_on: earliest(copies),
    last_success_at: earliest(
      others
        .map(({ last_success_at }) => last_success_at)
        .toSorted()
        .slice(-1),
    ),
  }
}

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).sort()[0] ?? null

const NAMED = 3

/** The line of doubt in the reader's language; in `text` the time `at`, if there is one, stands at the line feed. */
export function doubtLine(doubt: Doubt, t: Translate<'countries'>, moment: (instant: string) => string) {
  const { confirmed, total, confirmed_at, captured_on, last_success_at } = doubt
  const isDoubtful = doubt.unconfirmed.length > 0
  if (confirmed > 0 && confirmed_at) {
    const text = t('doubt_confirmed', { time: '\n', confirmed, total })
    return { isDoubtful, at: confirmed_at, text: `${text} ${unconfirmedText(doubt, t, moment)}` }
  }
  if (captured_on) return { isDoubtful, at: null, text: t('doubt_copies', { day: moment(captured_on) }) }
  if (!last_success_at) return { isDoubtful, at: null, text: t('doubt_none') }
  return { isDoubtful, at: null, text: t('doubt_late', { time: moment(last_success_at) }) }
}

/** Which sources are not confirmed, while others are. */
function unconfirmedText(
  { unconfirmed, since }: Doubt,
  t: Translate<'countries'>,
  moment: (instant: string) => string,
) {
  const [only] = unconfirmed
  if (only === undefined) return ''
  if (since) return t('doubt_since', { source: isolated(only), time: moment(since) })
  const sources = unconfirmed.slice(0, NAMED).map(isolated).join(t('comma'))
  const more = unconfirmed.length - NAMED
  return more > 0 ? t('doubt_sources_more', { sources, more }) : t('doubt_sources', { sources })
}
