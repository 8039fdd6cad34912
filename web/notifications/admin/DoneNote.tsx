import { useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Announcements.module.css'

const DONE = [
  'saved',
  'sent',
  'submitted',
  'approved',
  'declined',
  'cancelled',
  'tested',
  'retried',
  'deleted',
  'template',
  'restored',
  'rule',
] as const

/** Result of the last action, shown after its redirect. */
export function DoneNote() {
  const t = useT('notices')
  const [params] = useSearchParams()
  const done = DONE.find((name) => name === params.get('done'))
  if (!done) return null
  return (
    <div className={styles.done}>
      <Note kind="success" isLive title={t(`done_${done}`)} />
    </div>
  )
}
