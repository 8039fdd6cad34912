import type { AdvisoryChange } from '#shared/advisories/endpoints.ts'
import { ADVISORY_TYPES, SEVERITIES, type Severity } from '#shared/advisories/severity.ts'
import { formatDay } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Detail.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { SeverityTag } from './SeverityTag.tsx'
import { typeText } from './status-text.ts'

/** Every version the portal has seen, newest first, with its differences; nothing if there is only one. */
export function VersionHistory({ detail }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  const { versions, advisory } = detail
  if (versions.length < 2) return null
  return (
    <details className={styles.all}>
      <summary>{t('all_versions', { n: versions.length })}</summary>
      {/* Inside, so that the browser expands the section when a link targets it. */}
      <ol className={styles.versions} reversed id="versions">
        {versions.map((version) => (
          <li key={version.version} value={version.version}>
            <SeverityTag severity={version.severity_level} isPulsing={false} />{' '}
            <Time value={version.last_updated} precision={version.date_precision} look="day" />,{' '}
            <span className={styles.muted}>
              {t('version_recorded')} <Time value={version.recorded_at} />
            </span>
            <p>
              <bdi lang={advisory.language}>{t('quote', { text: version.original_wording })}</bdi>
            </p>
            {version.changes.length === 0 ? (
              <p className={styles.muted}>{t('version_first')}</p>
            ) : (
              <ul>
                {version.changes.map((change) => (
                  <Change key={change.field} change={change} language={advisory.language} />
                ))}
              </ul>
            )}
            <p className={styles.muted} lang={advisory.language} dir="auto">
              {version.description}
            </p>
          </li>
        ))}
      </ol>
    </details>
  )
}

function Change({ change: { field, before, after }, language }: { change: AdvisoryChange; language: string }) {
  const t = useT('advisory')
  const name = t(FIELDS[field] ?? 'field_other')
  // Texts are too long to repeat: only the fact that they were edited is stored.
  if (before === null && after === null) return <li>{name}</li>
  return (
    <li>
      {name}: <Value value={before} language={language} /> <Icon name="arrow" />{' '}
      <Value value={after} language={language} />
    </li>
  )
}

/** A field value, translated where it is one of the portal's own. */
export function Value({ value, language }: { value: string | null; language: string }) {
  const t = useT('advisory')
  const reader = useLanguage()
  if (value === null || value === '') return t('nothing')
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'yes' : 'no')
  if ((SEVERITIES as readonly string[]).includes(value)) return t(`severity_${value as Severity}`)
  if ((ADVISORY_TYPES as readonly string[]).includes(value)) return typeText(t, value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return formatDay(reader, value)
  return <bdi lang={language}>{value}</bdi>
}

const FIELDS: Record<string, Key<'advisory'>> = {
  severity_level: 'field_severity_level',
  original_wording: 'field_original_wording',
  title: 'field_title',
  is_urgent: 'field_is_urgent',
  affected_countries: 'field_affected_countries',
  affected_regions: 'field_affected_regions',
  affected_cities: 'field_affected_cities',
  advisory_type: 'field_advisory_type',
  national_alert_level: 'national_level',
  source_url: 'field_source_url',
  language: 'field_language',
  text: 'field_text',
  recommendations: 'field_recommendations',
  effective_date: 'field_effective_date',
  expiry_date: 'field_expiry_date',
  last_updated: 'field_last_updated',
}
