import { useT } from '#web/lib/i18n.tsx'
import styles from './ChosenChurch.module.css'
import { LocaleCard } from './LocaleCard.tsx'
import type { Locator } from './locator.server.ts'
import { firstNumber } from './search.ts'

interface Props {
  data: Locator
  /** Its marker was tapped; before that the first of the list. */
  chosen: string | null
  zone: string | null
}

/** On a phone, over the lower edge of the map: the church whose marker was tapped. */
export function ChosenChurch({ data: { rows, search }, chosen, zone }: Props) {
  const t = useT('churches')
  const index = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  )
  const row = rows[index]
  if (!row) return null
  return (
    <section className={styles.sheet} aria-label={t('chosen')} aria-live="polite">
      <LocaleCard row={row} number={firstNumber(search) + index} zone={zone} isBrief />
    </section>
  )
}
