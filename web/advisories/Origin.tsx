import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { Time } from '#web/ui/Time.tsx'
import styles from './Detail.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'

/** Attribution and licence; in print also the URL and the time it was retrieved. */
export function Origin({ detail: { advisory, source, made_at } }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  const site = useSite()
  return (
    <div className={styles.licence}>
      <p>
        {t('source')}: <bdi>{advisory.source_organization}</bdi>.{' '}
        {source && (
          <span lang="en" dir="auto">
            {source.licence_url ? <a href={source.licence_url}>{source.licence}</a> : source.licence}
          </span>
        )}
      </p>
      <p className={styles.paper}>
        {t('view_official_source')}: <bdi dir="ltr">{advisory.source_url}</bdi>
      </p>
      <p className={styles.paper}>
        {t('printed_from')}: <bdi dir="ltr">{`${site?.public_url ?? ''}/travel-advisories/${advisory.id}`}</bdi>,{' '}
        {made_at && (
          <>
            {t('page_made')} <Time value={made_at} />
          </>
        )}
      </p>
    </div>
  )
}
