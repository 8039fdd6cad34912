import { Link } from 'react-router'
import { SourceState } from '#web/advisories/SourceState.tsx'
import { formatDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import styles from './Overview.module.css'
import type { NamedSource } from './sources.server.ts'

/** When each source was last checked; dashed if not confirmed. */
export function SourcesPanel({ sources }: { sources: readonly NamedSource[] }) {
  const t = useT('admin')
  const tQueue = useT('queue')
  const confirmed = sources.filter(({ state }) => state === 'confirmed').length
  return (
    <AdminPanel
      id="sources"
      title={t('sources_panel')}
      end={
        <Link to="/travel-advisories/sources">{tQueue('sources_confirmed', { confirmed, total: sources.length })}</Link>
      }
    >
      <ul className={styles.rows}>
        {sources.map((source) => (
          <li key={source.id}>
            <bdi className={styles.what}>{source.name}</bdi>
            <State source={source} />
          </li>
        ))}
      </ul>
    </AdminPanel>
  )
}

/** Shorter than elsewhere for a snapshot: the column is narrow. */
function State({ source }: { source: NamedSource }) {
  const t = useT('admin')
  const language = useLanguage()
  if (source.state !== 'captured') return <SourceState source={source} />
  return <UnknownTag>{t('captured_short', { day: formatDay(language, source.captured_on ?? 0) })}</UnknownTag>
}
