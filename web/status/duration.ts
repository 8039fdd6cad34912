import type { Translate } from '#web/lib/i18n.tsx'

/** A duration: '0.4 s', '12 s', '3 min', '2.5 h'. Rounded up, so that a result never looks better than it is. */
export function inTime(t: Translate<'status'>, seconds: number, number: (n: number) => string): string {
  const up = (value: number, digits: number) => Math.ceil(value * 10 ** digits - 1e-9) / 10 ** digits
  if (seconds < 10) return t('seconds', { n: number(up(seconds, 1)) })
  if (seconds < 120) return t('seconds', { n: number(up(seconds, 0)) })
  if (seconds < 7_200) return t('minutes', { n: number(up(seconds / 60, 0)) })
  return t('hours', { n: number(up(seconds / 3_600, 1)) })
}
