import type { AdvisorySource } from '#shared/advisories/endpoints.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
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
