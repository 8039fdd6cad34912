import { useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

const DONE = [
  'created',
  'saved',
  'deleted',
  'confirmed',
  'servant',
  'servant_removed',
  'schedule',
  'schedule_removed',
  'photo',
  'photo_removed',
  'discretion',
  'requested',
  'approved',
  'declined',
  'withdrawn',
  'chapter_created',
  'chapter_saved',
  'chapter_deleted',
  'travelers',
] as const
export type Done = (typeof DONE)[number]

/** Result of the last action, shown after its redirect. */
export function DoneNote({ only }: { only?: string }) {
  const t = useT('manageChurches')
  const [params] = useSearchParams()
  const done = DONE.find((name) => name === params.get('done'))
  const section = done && SECTIONS.find((name) => done.startsWith(name))
  if (!done || section !== only) return null
  return (
    <div className={styles.done}>
      <Note kind="success" isLive title={t(`done_${done}`)} />
    </div>
  )
}

/** Sections that show the result themselves. */
const SECTIONS = ['servant', 'schedule', 'photo'] as const
