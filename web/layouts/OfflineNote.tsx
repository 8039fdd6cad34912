import { useSyncExternalStore } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Frame.module.css'

/** Shown while the device is offline: the content stays, but may be out of date. */
export function OfflineNote() {
  const t = useT('common')
  const isOnline = useSyncExternalStore(
    listen,
    () => navigator.onLine,
    () => true,
  )
  if (isOnline) return null
  return (
    <div className={styles.offline}>
      <Note kind="unknown" icon="offline" title={t('offline_title')} isLive>
        {t('offline_text')}
      </Note>
    </div>
  )
}

function listen(notify: () => void) {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}
