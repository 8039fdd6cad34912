import { Link } from 'react-router'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { ADVISORIES_PATH } from '../filters.ts'
import styles from './AdvisoryMap.module.css'
import { CountriesByLevel } from './CountriesByLevel.tsx'
import type { AdvisoryMapData } from './map.server.ts'
import { REGIONS, type Region } from './view.ts'

interface Props {
  /** The data of a whole page lacks the picture, which is there as markup: React keeps what it finds. */
  map: Omit<AdvisoryMapData, 'picture'> & { picture?: string }
  /** "4 of 5 sources confirmed". */
  confirmed: { confirmed: number; total: number }
}

/** The world by level, and beside it the same as a list: one surface. The picture is for pointers only. */
export function AdvisoryMap({ map, confirmed }: Props) {
  const t = useT('advisories')
  const language = useLanguage()
  return (
    <section className={styles.block} aria-labelledby="map">
      <h2 id="map" className="visually-hidden">
        {t('map_title')}
      </h2>
      <Regions chosen={map.region} />
      <div className={styles.surface}>
        {/* Rendered and escaped by map.server.ts. */}
        <figure
          suppressHydrationWarning
          className={classes(styles.figure, map.region !== 'world' && styles.region)}
          aria-label={t('map_label')}
          dangerouslySetInnerHTML={{ __html: map.picture ?? '' }}
        />
        <CountriesByLevel levels={map.levels} />
        <Legend hasDoubt={map.hasDoubt} />
      </div>
      <p className={styles.note}>
        {t('map_note')} {t('not_safe_note')}
        {confirmed.total > 0 && (
          <span>
            {t('sources_confirmed', {
              confirmed: formatNumber(language, confirmed.confirmed),
              total: formatNumber(language, confirmed.total),
            })}
          </span>
        )}
        <span>{t('map_credit')}</span>
      </p>
    </section>
  )
}

function Regions({ chosen }: { chosen: Region }) {
  const t = useT('advisories')
  return (
    <nav className={styles.regions} aria-label={t('map_regions')}>
      {REGIONS.map((region) => (
        <Link
          key={region}
          to={region === 'world' ? ADVISORIES_PATH : `${ADVISORIES_PATH}?region=${region}`}
          aria-current={region === chosen ? 'true' : undefined}
          preventScrollReset
        >
          {t(`map_region_${region}`)}
        </Link>
      ))}
    </nav>
  )
}

function Legend({ hasDoubt }: { hasDoubt: boolean }) {
  const t = useT('advisories')
  const entries = [
    ...SEVERITIES.map((severity) => ({ fill: `url(#map-${severity})`, label: t(`level_${severity}`) })),
    ...(hasDoubt ? [{ fill: 'url(#map-doubt-warning)', label: t('not_confirmed') }] : []),
    { fill: undefined, label: t('map_not_listed') },
  ]
  return (
    <ul className={styles.legend}>
      {entries.map(({ fill, label }) => (
        <li key={label} className={styles.legendEntry}>
          <svg className={styles.swatch} viewBox="0 0 32 18" aria-hidden="true">
            <rect className={fill ? undefined : styles.unlisted} x="0.5" y="0.5" width="31" height="17" fill={fill} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}
