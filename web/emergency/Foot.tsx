import type { EmergencyNumber, SituationHelp } from '#shared/emergency/endpoints.ts'
import { formatDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { NumberRow } from './CallRow.tsx'
import styles from './Emergency.module.css'
import type { PlaceOrigin } from './place.server.ts'

/** Why this country is shown, if the user did not choose it. */
export function Origin({ origin, name }: { origin: PlaceOrigin | null; name: string }) {
  const t = useT('emergency')
  if (!origin) return null
  return (
    <p className={styles.origin}>
      {t(`from_${origin}`, { country: name })} <a href="/emergency/countries">{t('change')}</a>
    </p>
  )
}

/** Confirmed numbers not shown elsewhere on the page. */
export function MoreNumbers({ numbers, name }: { numbers: readonly EmergencyNumber[]; name: string }) {
  const t = useT('emergency')
  if (numbers.length === 0) return null
  return (
    <section aria-labelledby="more">
      <h2 id="more">{t('more', { country: name })}</h2>
      <div className={styles.more}>
        {numbers.map((number) => (
          <NumberRow key={number.record} number={number} />
        ))}
      </div>
    </section>
  )
}

/** Shown only in a copy cached by the service worker: its date. */
export function CachedCopyNote({ madeOn }: { madeOn: string }) {
  const t = useT('emergency')
  const language = useLanguage()
  return (
    <p className={styles.savedCopy}>
      <Icon name="offline" />
      {t('saved_copy', { date: formatDay(language, madeOn) })}
    </p>
  )
}

/** States that the page works offline, and the date of its instructions. */
export function OfflineAccessNote({ situations = [] }: { situations?: readonly SituationHelp[] }) {
  const t = useT('emergency')
  const language = useLanguage()
  const [oldest] = situations.flatMap(({ steps }) => steps.map(({ source }) => source.checked_on)).sort()
  return (
    <div className={styles.foot}>
      <p className={styles.keeps}>
        <Icon name="download" />
        <span>
          <b>{t('saved')}</b> {t('saved_text')}
        </span>
      </p>
      {oldest && <p>{t('steps_read', { date: formatDay(language, oldest) })}</p>}
    </div>
  )
}

/** Links to the country's page and to print. */
export function MoreLinks({ country, name }: { country: string; name: string }) {
  const t = useT('emergency')
  return (
    <p className={styles.links}>
      <a href={`/countries/${country}`}>{t('more_about', { country: name })}</a>
      <button type="button" data-print="" className="needs-script">
        {t('print')}
      </button>
    </p>
  )
}
