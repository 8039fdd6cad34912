import { Link } from 'react-router'
import type { AdminAdvisory, HistoryEntry } from '#shared/advisories/admin.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './DoneNote.module.css'
import { Changes } from './HistoryList.tsx'
import { editPath } from './paths.ts'

interface Props {
  advisory: AdminAdvisory
  history: readonly HistoryEntry[]
  /** The newest audit log entry when the form was rendered. */
  seen: number
}

/** Conflict: another administrator saved first. Shows who and what they changed; the form values are preserved. */
export function StaleWarning({ advisory, history, seen }: Props) {
  const t = useT('manage')
  const newer = history.filter(({ id }) => id > seen)
  return (
    <div className={styles.done}>
      <Note
        kind="error"
        heading="h2"
        isLive
        title={t('stale_title')}
        action={<Link to={editPath(advisory.id)}>{t('stale_open')}</Link>}
      >
        <p>{t('stale_text')}</p>
        {newer.map((entry) => (
          <Changes key={entry.id} entry={entry} language={advisory.language} />
        ))}
      </Note>
    </div>
  )
}
