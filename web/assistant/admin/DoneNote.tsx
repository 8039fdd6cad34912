import { useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

const DONE = [
  'reviewed',
  'fact_saved',
  'fact_confirmed',
  'fact_deleted',
  'page_added',
  'page_same',
  'page_changed',
  'page_not_read',
  'page_deleted',
  'domain_deleted',
] as const
export type Done = (typeof DONE)[number]

/** Result of the last action, shown after its redirect. */
export function DoneNote() {
  const t = useT('assistantAdmin')
  const [params] = useSearchParams()
  const done = DONE.find((name) => name === params.get('done'))
  if (!done) return null
  return (
    <div className={styles.done}>
      <Note kind={done === 'page_not_read' ? 'error' : 'success'} isLive title={t(`done_${done}`)} />
    </div>
  )
}
