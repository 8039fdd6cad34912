import { Link } from 'react-router'
import { countConfirmed } from '#shared/advisories/freshness.ts'
import { useT } from '#web/lib/i18n.tsx'
import { RemovableChip } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import { ADVISORIES_PATH, activeFilters, addressOf, type FilterName, without } from './filters.ts'
import type { AdvisoryListing } from './list.server.ts'
import styles from './TravelAdvisoriesPage.module.css'

/** Active filters, number of results, and time of the last refresh. */
export function ActiveFilters({ data, refreshedAt }: { data: AdvisoryListing; refreshedAt: string }) {
  const t = useT('advisories')
  const { filters, shown, total } = data
  const active = activeFilters(filters)
  return (
    <div className={styles.line}>
      {active.length > 0 && (
        <div className={styles.chips}>
          {active.map((name) => (
            <FilterChip key={name} name={name} data={data} />
          ))}
          <Link to={ADVISORIES_PATH} className={styles.clear} preventScrollReset>
            {t('clear')}
          </Link>
        </div>
      )}
      <div className={styles.facts}>
        <b role="status">
          {data.hasReadSources || total > 0 ? t('result_count', { shown, total, count: total }) : t('nothing_read')}
        </b>
        <span className={`${styles.fact} needs-script`}>
          <Icon name="clock" />
          <span>
            {t('last_refreshed')} <Time value={refreshedAt} look="relative" />
          </span>
        </span>
        <span className={`${styles.fact} ${styles.withoutScript}`}>
          <Icon name="clock" />
          <span>
            {t('page_made')} <Time value={data.made_at} /> ·{' '}
            <a href={addressOf(filters, { page: filters.page })}>{t('reload')}</a>
          </span>
        </span>
        <Link to={`${ADVISORIES_PATH}/sources`} className={styles.sources}>
          {t('sources_confirmed', countConfirmed(data.sources))}
        </Link>
      </div>
    </div>
  )
}

function FilterChip({ name, data: { filters, sources, country } }: { name: FilterName; data: AdvisoryListing }) {
  const t = useT('advisories')
  const text = {
    search: () => t('chip_search', { text: filters.search }),
    severities: () => filters.severities.map((severity) => t(`level_${severity}`)).join(' + '),
    country: () => t('chip_country', { name: country }),
    mine: () => t('mine'),
    source: () => t('chip_source', { name: sources.find(({ id }) => id === filters.source)?.name ?? filters.source }),
  }[name]()
  return (
    <RemovableChip to={without(filters, name)} label={t('remove_filter', { name: text })}>
      <bdi>{text}</bdi>
    </RemovableChip>
  )
}
