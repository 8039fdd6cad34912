import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './NoScopeNote.module.css'

/** On every page of the area: an empty list means that the role has no scope, not that all is done. */
export function NoScopeNote() {
  const t = useT('admin')
  return (
    <div className={styles.above}>
      <Note kind="unknown" title={t('no_scope_title')}>
        {t('no_scope')}
      </Note>
    </div>
  )
}
