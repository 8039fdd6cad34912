import { useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './DoneNote.module.css'

const DONE = [
  'created',
  'created_source',
  'removed_source',
  'saved',
  'published',
  'drafted',
  'withdrawn',
  'restored',
  'marked',
  'duplicated',
  'deleted',
  'notified',
  'fetched',
  'skipped',
  'resolved',
  'taken_back',
  'level_accepted',
  'news_released',
  'news_dropped',
] as const
export type Done = (typeof DONE)[number]

/** Result of the last action, shown after its redirect. */
export function DoneNote() {
  const t = useT('manage')
  const [params] = useSearchParams()
  const done = DONE.find((name) => name === params.get('done'))
  if (!done) return null
  return (
    <div className={styles.done}>
      <Note kind={done === 'skipped' ? 'unknown' : 'success'} isLive title={t(`done_${done}`)} />
    </div>
  )
}
