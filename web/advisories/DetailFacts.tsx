import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Detail.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { SourceState } from './SourceState.tsx'
import { statusText, typeText } from './status-text.ts'

interface Props {
  detail: AdvisoryDetailData
  heading: 'h3' | 'h4'
}

/** Type of the advisory if it has one, and whether subscribers are notified of each change. */
export function Kind({ detail: { advisory } }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  const hasType = advisory.advisory_type !== 'general'
  if (!hasType && !advisory.auto_notify) return null
  return (
    <p className={styles.names}>
      {hasType && <Chip>{typeText(t, advisory.advisory_type)}</Chip>}
      {advisory.auto_notify && (
        <Chip>
          <Icon name="bell" /> {t('auto_notify')}
        </Chip>
      )}
    </p>
  )
}

/** Dates of the source and of the portal, one row each; only those that are known. */
export function Timeline({ detail: { advisory, source }, heading: Heading }: Props) {
  const t = useT('advisory')
  return (
    <section>
      <Heading>{t('timeline')}</Heading>
      <dl className={styles.rows}>
        {advisory.effective_date && (
          <Row label={t('effective_date')}>
            <Time value={advisory.effective_date} precision={advisory.date_precision} />
          </Row>
        )}
        {advisory.expiry_date && (
          <Row label={t('expiry_date')}>
            <Time value={advisory.expiry_date} />
          </Row>
        )}
        <Row label={t('last_updated')}>
          <Time value={advisory.last_updated} precision={advisory.date_precision} />
        </Row>
        {source && (
          <Row label={t('checked')}>
            {source.last_success_at && source.reading !== 'copy' && (
              <>
                <Time value={source.last_success_at} />{' '}
              </>
            )}
            {source.state !== 'confirmed' && <SourceState source={source} />}
          </Row>
        )}
        <Row label={t('status')}>{statusText(t, advisory.is_active, advisory.is_urgent)}</Row>
        {advisory.national_alert_level && (
          <Row label={t('national_level')}>{t(`national_level_${advisory.national_alert_level as 1 | 2 | 3 | 4}`)}</Row>
        )}
      </dl>
    </section>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/**
 * Countries link to their own pages; names that could not be matched to a country are shown as the source gave them.
 */
export function AffectedAreas({ detail: { advisory, countries }, heading: Heading }: Props) {
  const t = useT('advisory')
  const { affected_regions, affected_cities, unresolved_countries, language } = advisory
  return (
    <section>
      <Heading>{t('affected_areas')}</Heading>
      <dl className={styles.areas}>
        <div>
          <dt>{t('affected_country', { count: Math.max(1, countries.length) })}</dt>
          <dd className={styles.names}>
            {countries.length === 0 && unresolved_countries.length === 0 && t('all_countries')}
            {countries.map(({ code, name }) => (
              <Chip key={code} to={`/countries/${code}`}>
                <bdi>{name}</bdi>
              </Chip>
            ))}
          </dd>
        </div>
        <Names label={t('unresolved')} names={unresolved_countries} language={language} />
        <Names label={t('regions')} names={affected_regions} language={language} />
        <Names label={t('cities')} names={affected_cities} language={language} />
      </dl>
    </section>
  )
}

function Names({ label, names, language }: { label: string; names: readonly string[]; language: string }) {
  if (names.length === 0) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd lang={language} dir="auto">
        {names.join(', ')}
      </dd>
    </div>
  )
}
