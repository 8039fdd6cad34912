import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'

/** A number in a text: `count` selects the plural form, `n` is the formatted number. */
export function useCounted() {
  const language = useLanguage()
  return (count: number) => ({ count, n: formatNumber(language, count) })
}
