import { byAuthority } from '#shared/advisories/freshness.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import type { ListedSource } from './list.server.ts'
import { SourceList } from './SourceState.tsx'
import styles from './TravelAdvisoriesPage.module.css'

/** The full list of sources, for users without scripts and for print. */
export function SourcesBelow({ sources }: { sources: readonly ListedSource[] }) {
  const t = useT('advisories')
  return (
    <Surface className={styles.below}>
      <details>
        <summary className={styles.summary}>{t('sources_title')}</summary>
        <SourceList sources={byAuthority(sources)} />
      </details>
    </Surface>
  )
}
