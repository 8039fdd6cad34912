import { Link } from 'react-router'
import { byAuthority, isAnythingRead } from '#shared/advisories/freshness.ts'
import { useNow, useZone } from '#web/lib/clock.ts'
import { formatDay, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { ADVISORIES_PATH } from './filters.ts'
import { sinceText } from './freshness-text.ts'
import type { ListedSource } from './list.server.ts'
import styles from './TravelAdvisoriesPage.module.css'

/**
 * Names the sources that are not confirmed now. Above the list, so that a short list is not mistaken for a safe world.
 */
export function SourceNotes({ sources }: { sources: readonly ListedSource[] }) {
  const known = byAuthority(sources)
  const late = known.filter(({ reading }) => reading === 'late')
  const unread = known.filter(({ reading }) => reading === 'not_read' || reading === 'failed')
  const captured = known.filter(({ state }) => state === 'captured')
  const lateMessage = useLateMessage(late)
  const capturedMessage = useCapturedMessage(captured)
  const t = useT('advisories')
  // If nothing at all was read, the list itself says so.
  if (late.length + captured.length + (isAnythingRead(known) ? unread.length : 0) === 0) return null
  const areOthersFine = captured.length === 0 && unread.length === 0 && known.some(({ state }) => state === 'confirmed')
  const unreadMessage = t('sources_not_read', { names: unread.map(({ name }) => isolated(name)).join(t('comma')) })
  const title = captured.length > 0 ? t('captured_note') : late.length > 0 ? lateMessage.title : unreadMessage
  return (
    <div className={styles.notes}>
      <Note kind="unknown" title={title}>
        {captured.length > 0 && <p>{capturedMessage}</p>}
        {late.length > 0 && (
          <p>
            {captured.length > 0 && <b>{lateMessage.title}</b>} {lateMessage.text}{' '}
            {areOthersFine && t('other_sources_fine')}
          </p>
        )}
        {unread.length > 0 && title !== unreadMessage && <p>{unreadMessage}</p>}
        <p>
          <Link to={`${ADVISORIES_PATH}/sources`}>{t('see_all_sources')}</Link>
        </p>
      </Note>
    </div>
  )
}

function useLateMessage(late: readonly ListedSource[]): { title: string; text: string } {
  const t = useT('advisories')
  const language = useLanguage()
  const zone = useZone()
  const now = useNow()
  const [only] = late
  if (!only) return { title: '', text: '' }
  if (late.length > 1) {
    const names = late.map(({ name }) => isolated(name)).join(t('comma'))
    return {
      title: t('sources_not_confirmed', { count: late.length }),
      text: t('sources_not_confirmed_text', { names }),
    }
  }
  const time = sinceText(language, only.not_confirmed_since ?? '', zone, now)
  return {
    title: t('source_not_confirmed', { name: isolated(only.name) }),
    text: t('source_not_confirmed_text', { time }),
  }
}

/** One sentence for all snapshots: each name with its date. */
function useCapturedMessage(captured: readonly ListedSource[]): string {
  const t = useT('advisories')
  const language = useLanguage()
  const days = captured.map(({ name, captured_on }) =>
    t('captured_source', { name: isolated(name), day: formatDay(language, captured_on ?? 0) }),
  )
  return t('captured_note_text', { sources: days.join(t('comma')) })
}
