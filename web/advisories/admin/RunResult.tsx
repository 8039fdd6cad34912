import type { FeedRun } from '#shared/advisories/admin-sources.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Tag, UnknownTag } from '#web/ui/Chip.tsx'

/** Result of a run in one line: items read and saved, or the error. */
export function RunResult({ run }: { run: FeedRun }) {
  const t = useT('manage')
  const { status, error, fetched, added, updated, missing, refused_count, unresolved_count } = run
  const isGood = status === 'ok' || status === 'unchanged'
  const saved = added + updated
  return (
    <>
      {isGood ? <Tag>{t(`run_${status}`)}</Tag> : <UnknownTag>{t(`run_${status}`)}</UnknownTag>}{' '}
      {isGood && t('run_counts', { fetched, saved })}
      {missing > 0 && ` ${t('run_missing', { n: missing })}`}
      {refused_count > 0 && ` ${t('run_items_refused', { n: refused_count })}`}
      {unresolved_count > 0 && ` ${t('run_unresolved', { n: unresolved_count })}`}
      {error && (
        <>
          {' '}
          <bdi lang="en">{error}</bdi>
        </>
      )}
    </>
  )
}
