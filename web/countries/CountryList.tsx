import type { Severity } from '#shared/advisories/severity.ts'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { useT } from '#web/lib/i18n.tsx'
import styles from './CountryList.module.css'

export interface ListedCountry {
  code: string
  name: string
  region: string
  severity_level: Severity | null
  advisory_count: number
}

/** Countries with the highest level of each. Plain anchors: 250 router links would slow down the page. */
export function CountryList({
  countries,
  hasReadSources,
}: {
  countries: readonly ListedCountry[]
  hasReadSources: boolean
}) {
  const t = useT('countries')
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
    <ul className={styles.list} role="list">
      {countries.map(({ code, name, severity_level, advisory_count }) => (
        <li key={code}>
          <a href={`/countries/${code}`}>
            <bdi>{name}</bdi>
          </a>
          <span className={styles.count}>
            {advisory_count > 0
              ? t('notices', { count: advisory_count })
              : t(hasReadSources ? 'notices_none' : 'notices_unknown')}
          </span>
          {severity_level && <SeverityTag severity={severity_level} isPulsing={false} />}
        </li>
      ))}
    </ul>
  )
}
