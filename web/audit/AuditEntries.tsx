import { Link } from 'react-router'
import { useZone } from '#web/lib/clock.ts'
import { formatClock, formatDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './AuditEntries.module.css'
import { Changes } from './Changes.tsx'
import type { ShownEntry } from './entries.server.ts'
import { Sentence } from './Sentence.tsx'

/** The audit log by days in the reader's zone: one sentence per entry, which opens to what changed. */
export function AuditEntries({ entries }: { entries: readonly ShownEntry[] }) {
  const language = useLanguage()
  const zone = useZone()
  const days = Map.groupBy(entries, ({ at }) => formatDay(language, at, zone))
  return (
    <div className={styles.log}>
      {[...days].map(([day, entries]) => (
        <section key={day}>
          <h3 className={styles.day}>{day}</h3>
          <ol className={styles.entries}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <Entry entry={entry} clock={formatClock(language, entry.at, zone)} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function Entry({ entry, clock }: { entry: ShownEntry; clock: string }) {
  const t = useT('users')
  return (
    <>
      <p className={styles.line}>
        <time dateTime={entry.at}>{clock}</time>
        <span className={styles.sentence}>
          <Sentence parts={entry.sentence} />
        </span>
      </p>
      <details className={styles.details}>
        <summary aria-label={t('details_of', { n: entry.id })}>
          <Icon name="down" />
        </summary>
        <div className={styles.body}>
          <Changes changes={entry.changes} />
          {entry.reason && (
            <p>
              {t('reason')}: <bdi>{entry.reason}</bdi>
            </p>
          )}
          <p className={styles.links}>
            {/* Data and not a page: the browser shows it as it is. */}
            <a href={`/api/admin-operations/audit-log?per_page=1&before_id=${entry.id + 1}`}>{t('raw_data')}</a>
            <Link to={`/admin/data?subject=${encodeURIComponent(entry.subject)}`}>{t('all_about')}</Link>
            {entry.actor_id && <Link to={`/admin/data?search=${entry.actor_id}`}>{t('all_by')}</Link>}
          </p>
        </div>
      </details>
    </>
  )
}
