import { useTranslateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

/** Why an action in a list failed. */
export function ActionErrorNote({ error }: { error: FormError | undefined }) {
  const translate = useTranslateMessage()
  if (!error) return null
  return (
    <div className={styles.done}>
      <Note kind="error" isLive title={translate(Object.values(error.fields)[0] ?? error.error)} />
    </div>
  )
}
