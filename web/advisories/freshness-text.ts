import type { AdvisorySource } from '#shared/advisories/endpoints.ts'
import type { Language } from '#shared/language.ts'
import { formatClock, formatDay, formatMoment, zoneName } from '#web/lib/format.ts'
import type { Key, Parameters } from '#web/lib/i18n.tsx'

/** The fields of a source that determine its freshness. */
export type SourceFreshness = Pick<
  AdvisorySource,
  'state' | 'reading' | 'not_confirmed_since' | 'last_success_at' | 'captured_on'
>

export { isVouchedFor } from '#shared/advisories/freshness.ts'

/** Warning for a source that is not confirmed now; undefined otherwise. */
export function doubtText(
  t: (key: Key<'common'>, parameters?: Parameters) => string,
  language: Language,
  zone: string,
  source: SourceFreshness,
  now: number | null,
) {
  const { state, not_confirmed_since: since, captured_on } = source
  if (state === 'captured') return t('captured', { day: formatDay(language, captured_on ?? 0) })
  if (state === 'off') return t('source_off')
  if (state !== 'not_confirmed') return undefined
  if (since) return t('not_confirmed_since', { time: sinceText(language, since, zone, now) })
  return t(source.reading === 'failed' ? 'never_read_failed' : 'never_confirmed')
}

/** '14:10 UTC' on the same day, with the date before that or where the current time is unknown. */
export function sinceText(language: Language, instant: string, zone: string, now: number | null): string {
  const isToday = now !== null && formatDay(language, instant, zone) === formatDay(language, now, zone)
  return isToday ? `${formatClock(language, instant, zone)} ${zoneName(zone)}` : formatMoment(language, instant, zone)
}
