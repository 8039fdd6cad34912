import type { AdvisorySource } from '#shared/advisories/endpoints.ts'
import { useNow, useZone } from '#web/lib/clock.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { doubtText, isVouchedFor, type SourceFreshness, sinceText } from './freshness-text.ts'
import styles from './SourceState.module.css'

/** One source in a list of sources: 'checked 16:28 UTC', or the unknown state, dashed. */
export function SourceState({ source }: { source: SourceFreshness }) {
  const t = useT('common')
  const language = useLanguage()
  const zone = useZone()
  const now = useNow()
  const doubt = doubtText(t, language, zone, source, now)
  const checkedAt = source.state === 'confirmed' ? source.last_success_at : null
  return (
    <span className={classes(styles.state, !isVouchedFor(source) && styles.unknown)} data-state={source.state}>
      {doubt ??
        (checkedAt !== null
          ? t('checked_at', { time: sinceText(language, checkedAt, zone, now) })
          : t('written_manually'))}
    </span>
  )
}

type ListedSource = SourceFreshness & Pick<AdvisorySource, 'id' | 'name' | 'country_code' | 'authority'>

/** List of sources with their state. */
export function SourceList({ sources }: { sources: readonly ListedSource[] }) {
  return (
    <dl className={styles.list}>
      {sources.map((source) => (
        <div key={source.id} className={styles.row}>
          <dt>{source.name}</dt>
          <dd>
            <SourceState source={source} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
