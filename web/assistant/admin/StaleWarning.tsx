import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

/** Conflict: another administrator saved first. The form values are preserved. */
export function StaleWarning({ to }: { to: string }) {
  const t = useT('assistantAdmin')
  return (
    <div className={styles.done}>
      <Note
        kind="error"
        heading="h2"
        isLive
        title={t('stale_title')}
        action={
          <Link to={to} reloadDocument>
            {t('stale_open')}
          </Link>
        }
      >
        <p>{t('stale_text')}</p>
      </Note>
    </div>
  )
}
