import { Link } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import styles from './CallsByCountry.module.css'
import type { CallsMap } from './calls-map.server.ts'
import type { ShownQueue } from './queue.server.ts'

/** Countries in the list; the others are counted. */
const LISTED = 8

interface Props {
  countries: ShownQueue['countries']
  map: CallsMap | null
  path: string
}

/** How many people wait in each country; a diamond where someone may be in danger. Each leads to its rows. */
export function CallsByCountry({ countries, map, path }: Props) {
  const t = useT('queue')
  const language = useLanguage()
  const rest = countries.length - LISTED
  return (
    <AdminPanel id="calls-by-country" title={t('countries_title')}>
      {map && <Picture map={map} />}
      {countries.length === 0 ? (
        <p className={styles.none}>{t('countries_none')}</p>
      ) : (
        <ul className={styles.countries}>
          {countries.slice(0, LISTED).map(({ country_code, name, count, is_danger }) => (
            <li key={country_code ?? 'none'}>
              <Link to={`${path}?country=${country_code ?? 'none'}`}>
                <bdi>{name ?? t('countries_unknown')}</bdi> {formatNumber(language, count)}
              </Link>
              {is_danger && (
                <>
                  <span className={styles.diamond} aria-hidden="true">
                    ◆
                  </span>
                  <span className="visually-hidden">({t('countries_danger')})</span>
                </>
              )}
            </li>
          ))}
          {rest > 0 && (
            <li>
              <Link to={`${path}?show=all`}>{t('countries_more', { n: formatNumber(language, rest) })}</Link>
            </li>
          )}
        </ul>
      )}
      {countries.some(({ is_danger }) => is_danger) && (
        <p className={styles.legend} aria-hidden="true">
          <span className={styles.diamond}>◆</span> {t('countries_danger')}
        </p>
      )}
    </AdminPanel>
  )
}

/** Decorative: the list below says the same. */
function Picture({ map: { viewBox, land, radius, markers } }: { map: CallsMap }) {
  const language = useLanguage()
  return (
    <svg className={styles.map} viewBox={viewBox} aria-hidden="true">
      <path className={styles.land} d={land} />
      {markers.map(({ country_code, count, is_danger, x, y }) => (
        <g key={country_code} transform={`translate(${x} ${y})`}>
          {is_danger ? (
            <path className={styles.danger} d={diamondOf(radius * 1.25)} />
          ) : (
            <circle className={styles.marker} r={radius} />
          )}
          <text className={styles.number} y={radius * 0.36} fontSize={radius * 1.05}>
            {formatNumber(language, count)}
          </text>
        </g>
      ))}
    </svg>
  )
}

const diamondOf = (size: number) => `M0-${size} ${size} 0 0 ${size}-${size} 0z`
