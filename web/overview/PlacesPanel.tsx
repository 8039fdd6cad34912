import { Link } from 'react-router'
import type { CoordinatedPlace } from '#shared/overview/endpoints.ts'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { formatClock } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import styles from './PlacesPanel.module.css'

interface Props {
  title: string
  places: readonly (CoordinatedPlace & { name: string })[]
  /** Total; the list shows the first ones. */
  total: number
  now: string
  /** Offers to start a roll call in affected countries. */
  mayAsk: boolean
}

/** Countries with their level, people and time, the worst first. */
export function PlacesPanel({ title, places, total, now, mayAsk }: Props) {
  const t = useT('queue')
  const language = useLanguage()
  const rest = total - places.length
  return (
    <AdminPanel id="places" title={title}>
      {places.length === 0 && <p className={styles.note}>{t('places_none')}</p>}
      <ul className={styles.places}>
        {places.map(({ country_code, name, severity, users, time_zone, advisory_id, is_affected }) => (
          <li key={country_code}>
            <div className={styles.line}>
              <strong>
                <Link to={`/countries/${country_code}`}>{name}</Link>
              </strong>
              {severity && <SeverityTag severity={severity} isPulsing={false} />}
              {time_zone && (
                <span className={styles.time}>{t('there', { time: formatClock(language, now, time_zone) })}</span>
              )}
            </div>
            <div className={styles.more}>
              {users > 0 ? (
                <Link to={`/admin/users?country=${country_code}`}>{t('places_users', { count: users })}</Link>
              ) : (
                t('places_users', { count: 0 })
              )}
              {!severity && ` · ${t('places_no_level')}`}
            </div>
            {mayAsk && is_affected && advisory_id && (
              <ButtonLink isSmall icon="hands" to={`/admin/roll-calls/new?advisory=${advisory_id}`}>
                {t('places_ask')}
                <span className="visually-hidden">: {name}</span>
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={styles.note}>{t('places_more', { count: rest })}</p>}
    </AdminPanel>
  )
}
