import { Fragment } from 'react'
import type { Severity } from '#shared/advisories/severity.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { SeverityTag } from '../SeverityTag.tsx'
import styles from './AdvisoryMap.module.css'
import { fromLines, type ListedCountry } from './listed.ts'
import type { AdvisoryMapData } from './map.server.ts'

interface Level {
  severity: Severity
  countries: readonly ListedCountry[]
}

/** Names that are visible at once; the others are folded. Lower levels are folded whole. */
const SHOWN = { emergency: 12, critical: 6, warning: 6, caution: 0, info: 0 }

/** The text form of the map: every country with a level, as a link. */
export function CountriesByLevel({ levels }: Pick<AdvisoryMapData, 'levels'>) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
    <ul className={styles.levels} role="list">
      {levels
        .map(({ severity, countries }) => ({ severity, countries: fromLines(countries) }))
        .map((level) => (
          <li key={level.severity}>
            {SHOWN[level.severity] === 0 ? (
              <details>
                <summary className={styles.levelHead}>
                  <LevelHead level={level} />
                </summary>
                <p>
                  <Names countries={level.countries} />
                </p>
              </details>
            ) : (
              <>
                <div className={styles.levelHead}>
                  <LevelHead level={level} />
                </div>
                <Shown level={level} />
              </>
            )}
          </li>
        ))}
    </ul>
  )
}

function LevelHead({ level: { severity, countries } }: { level: Level }) {
  const t = useT('advisories')
  const language = useLanguage()
  return (
    <>
      <SeverityTag severity={severity} isPulsing={false} />
      <span className={styles.levelCount}>
        {t('map_countries', { count: countries.length, n: formatNumber(language, countries.length) })}
      </span>
    </>
  )
}

function Shown({ level: { severity, countries } }: { level: Level }) {
  const t = useT('advisories')
  const language = useLanguage()
  // A fold of one name would take as much room as the name.
  const shown = countries.length === SHOWN[severity] + 1 ? countries.length : SHOWN[severity]
  const rest = countries.slice(shown)
  return (
    <>
      <p>
        <Names countries={countries.slice(0, shown)} />
      </p>
      {rest.length > 0 && (
        <details>
          <summary>{t('map_more', { count: rest.length, n: formatNumber(language, rest.length) })}</summary>
          <p>
            <Names countries={rest} />
          </p>
        </details>
      )}
    </>
  )
}

/** Plain anchors: hundreds of router links would slow down the page. */
function Names({ countries }: { countries: Level['countries'] }) {
  const t = useT('advisories')
  return countries.map(({ code, name, isDoubtful }, i) => (
    <Fragment key={code}>
      {i > 0 && t('comma')}
      <a href={`/countries/${code}`} className={classes(isDoubtful && styles.doubtName)}>
        <bdi>{name}</bdi>
        {isDoubtful && <span className="visually-hidden"> ({t('not_confirmed')})</span>}
      </a>
    </Fragment>
  ))
}
