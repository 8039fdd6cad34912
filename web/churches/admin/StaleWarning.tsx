import { Link } from 'react-router'
import type { AuditEntry } from '#shared/audit/endpoints.ts'
import { EntryList } from '#web/audit/EntryList.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

/** Conflict: another administrator saved first. Shows who and what they changed; the form values are preserved. */
export function StaleWarning({ to, history, seen }: { to: string; history: AuditEntry[]; seen: number }) {
  const t = useT('manageChurches')
  const newer = history.filter(({ id }) => id > seen)
  return (
    <div className={styles.done}>
      <Note kind="error" heading="h2" isLive title={t('stale_title')} action={<Link to={to}>{t('stale_open')}</Link>}>
        <p>{t('stale_text')}</p>
        {newer.length > 0 && <EntryList entries={newer} />}
      </Note>
    </div>
  )
}
