import type { Language } from '#shared/language.ts'
import { useNow } from '#web/lib/clock.ts'
import { formatClock, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import styles from './CountryPage.module.css'
import type { Facts } from './facts.ts'

/** Facts in the reference data; missing ones are omitted. */
export function CountryFacts({ facts: { capital, languages, currency, clock } }: { facts: Facts }) {
  const t = useT('countries')
  return (
    <ul className={styles.facts}>
      {capital && <li>{t('fact_capital', { capital: isolated(capital) })}</li>}
      {languages.length > 0 && <li>{languages.map(isolated).join(t('comma'))}</li>}
      {currency && <li>{isolated(currency)}</li>}
      {clock && <LocalTime {...clock} />}
    </ul>
  )
}

/** Rendered only in the browser, since a cached page does not know the time; its space is reserved from the start. */
function LocalTime({ zone, place }: { zone: string; place: string }) {
  const t = useT('countries')
  const now = useNow()
  const language = useLanguage()
  const time = now === null ? '00:00' : timeIn(language, zone, now)
  if (time === undefined) return null
  return (
    <li className={now === null ? styles.waiting : undefined}>{t('fact_now', { time, place: isolated(place) })}</li>
  )
}

/** Old browsers may not know a recently added zone. */
function timeIn(language: Language, zone: string, now: number): string | undefined {
  try {
    return formatClock(language, now, zone)
  } catch {
    return undefined
  }
}
