import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'

/** A number for a text: `count` chooses its form, `n` is how it is written. */
export function useCounted() {
  const language = useLanguage()
  return (count: number) => ({ count, n: formatNumber(language, count) })
}
