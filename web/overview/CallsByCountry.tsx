import { Link } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import styles from './CallsByCountry.module.css'
import type { ShownQueue } from './queue.server.ts'

/** Countries in the list; the others are counted. */
const LISTED = 8

/** How many people wait in each country; a diamond where someone may be in danger. Each leads to its rows. */
export function CallsByCountry({ countries, path }: { countries: ShownQueue['countries']; path: string }) {
  const t = useT('queue')
  const language = useLanguage()
  const rest = countries.length - LISTED
  return (
    <AdminPanel id="calls-by-country" title={t('countries_title')}>
      {countries.length === 0 ? (
        <p className={styles.none}>{t('countries_none')}</p>
      ) : (
        <>
          <ul className={styles.countries}>
            {countries.slice(0, LISTED).map(({ country_code, name, count, is_danger }) => (
              <li key={country_code ?? 'none'}>
                <Link to={`${path}?country=${country_code ?? 'none'}`}>
                  <bdi>{name ?? t('countries_unknown')}</bdi> {formatNumber(language, count)}
                </Link>
                {is_danger && <Diamond text={t('countries_danger')} />}
              </li>
            ))}
            {rest > 0 && (
              <li>
                <Link to={`${path}?show=all`}>{t('countries_more', { n: formatNumber(language, rest) })}</Link>
              </li>
            )}
          </ul>
          {countries.some(({ is_danger }) => is_danger) && (
            <p className={styles.legend}>
              <Diamond /> {t('countries_danger')}
            </p>
          )}
        </>
      )}
    </AdminPanel>
  )
}

const Diamond = ({ text }: { text?: string }) => (
  <>
    <span className={styles.diamond} aria-hidden="true">
      ◆
    </span>
    {text && <span className="visually-hidden">({text})</span>}
  </>
)
