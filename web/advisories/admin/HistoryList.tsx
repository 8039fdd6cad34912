import type { HistoryEntry } from '#shared/advisories/admin.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import { Value } from '../VersionHistory.tsx'
import styles from './HistoryList.module.css'

interface Props {
  history: readonly HistoryEntry[]
  /** Number of users who acknowledged it. */
  count: number
  language: string
}

/** Actions by administrators, newest first. Versions are shown with the advisory itself. */
export function HistoryList({ history, count, language }: Props) {
  const t = useT('manage')
  const reader = useLanguage()
  return (
    <AdminPanel
      id="history"
      title={t('history')}
      end={<span>{t('acknowledged', { count, n: formatNumber(reader, count) })}</span>}
    >
      <div className={styles.list}>
        {history.length === 0 ? (
          <p>{t('history_empty')}</p>
        ) : (
          history.map((entry) => <Changes key={entry.id} entry={entry} language={language} />)
        )}
      </div>
    </AdminPanel>
  )
}

/** One audit log entry: who did what and when, and what changed. */
export function Changes({ entry, language }: { entry: HistoryEntry; language: string }) {
  const t = useT('manage')
  return (
    <section className={styles.entry}>
      <p className={styles.deed}>
        <b>{t(ACTIONS[entry.action] ?? 'action_other')}</b>{' '}
        <span className={styles.muted}>
          <bdi>{entry.actor ?? t('actor_unknown')}</bdi>
          {t('comma')}
          <Time value={entry.at} />
        </span>
      </p>
      {entry.reason && (
        <p>
          {t('reason')}: <bdi>{entry.reason}</bdi>
        </p>
      )}
      <ul>
        {entry.changes
          .filter(({ field }) => field !== 'withdrawn_at')
          .map(({ field, before, after }) => (
            <li key={field}>
              {t(FIELDS[field] ?? 'field_other')}: <Value value={before} language={language} /> <Icon name="arrow" />{' '}
              <Value value={after} language={language} />
            </li>
          ))}
      </ul>
    </section>
  )
}

const ACTIONS: Record<string, Key<'manage'>> = {
  'advisory.create': 'action_create',
  'advisory.duplicate': 'action_duplicate',
  'advisory.edit': 'action_edit',
  'advisory.publish': 'action_publish',
  'advisory.withdraw': 'action_withdraw',
  'advisory.restore': 'action_restore',
  'advisory.mark': 'action_mark',
  'advisory.notify': 'action_notify',
  'advisory.accept_level': 'action_accept_level',
}

const FIELDS: Record<string, Key<'manage'>> = {
  source_id: 'source',
  title: 'advisory_title',
  description: 'description',
  detailed_information: 'detailed_information',
  recommendations: 'recommendations',
  severity_level: 'severity',
  advisory_type: 'type',
  original_wording: 'original_wording',
  national_alert_level: 'national_alert_level',
  source_url: 'source_url',
  language: 'language',
  is_urgent: 'urgent',
  urgent_by_portal: 'urgent_by_portal',
  auto_notify: 'auto_notify',
  country_codes: 'countries',
  affected_regions: 'affected_regions',
  affected_cities: 'affected_cities',
  effective_date: 'effective_date',
  expiry_date: 'expiry_date',
  last_updated: 'published_at',
  is_active: 'on_list',
  status: 'status',
}
