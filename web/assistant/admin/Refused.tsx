import { useSaid } from '../../lib/said.ts'
import type { Failure } from '../../lib/visitor.ts'
import { Note } from '../../ui/Note.tsx'
import styles from './Admin.module.css'

/** Why a button of a list did nothing. */
export function Refused({ failure }: { failure: Failure | undefined }) {
  const say = useSaid()
  if (!failure) return null
  return (
    <div className={styles.done}>
      <Note kind="error" isLive title={say(Object.values(failure.fields)[0] ?? failure.error)} />
    </div>
  )
}
