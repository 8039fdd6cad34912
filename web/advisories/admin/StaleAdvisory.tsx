import type { AdminAdvisory, HistoryEntry } from '#shared/advisories/admin.ts'
import { StaleNotice } from '#web/ui/StaleNotice.tsx'
import { Changes } from './HistoryList.tsx'
import { editPath } from './paths.ts'

interface Props {
  advisory: AdminAdvisory
  history: readonly HistoryEntry[]
  /** The newest audit log entry when the form was rendered. */
  seen: number
}

/** Conflict: another administrator saved first. Shows who and what they changed; the form values are preserved. */
export function StaleAdvisory({ advisory, history, seen }: Props) {
  const newer = history.filter(({ id }) => id > seen)
  return (
    <StaleNotice to={editPath(advisory.id)}>
      {newer.map((entry) => (
        <Changes key={entry.id} entry={entry} language={advisory.language} />
      ))}
    </StaleNotice>
  )
}
