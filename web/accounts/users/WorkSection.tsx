import { Link } from 'react-router'
import type { ScopeCounts } from '#shared/accounts/users.ts'
import type { ShownEntry } from '#web/audit/entries.server.ts'
import { Sentence } from '#web/audit/Sentence.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Fact, Facts } from '#web/ui/DetailDrawer.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './UserPage.module.css'

/** What a user is responsible for by their role, as they see it themselves. */
export function WorkSection({ work }: { work: ScopeCounts }) {
  const t = useT('users')
  const language = useLanguage()
  return (
    <AdminPanel id="work" title={t('work')}>
      <div className={styles.panelBody}>
        <Facts>
          {(['members', 'cases', 'chapters', 'churches'] as const).map((kind) => (
            <Fact key={kind} label={t(`work_of_${kind}`)}>
              {formatNumber(language, work[kind])}
            </Fact>
          ))}
        </Facts>
      </div>
    </AdminPanel>
  )
}

/** Recent actions of the user, and changes to their account. */
export function RecentActivity({ id, entries }: { id: string; entries: readonly ShownEntry[] }) {
  const t = useT('users')
  return (
    <AdminPanel id="lately" title={t('lately')} end={<Link to={`/admin/data?search=${id}`}>{t('lately_all')}</Link>}>
      <div className={styles.panelBody}>
        {entries.length === 0 && <p className={styles.hint}>{t('history_none')}</p>}
        <ol className={styles.lately}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <Time value={entry.at} look="relative" />
              <span>
                <Sentence parts={entry.sentence} />
              </span>
            </li>
          ))}
        </ol>
      </div>
    </AdminPanel>
  )
}
