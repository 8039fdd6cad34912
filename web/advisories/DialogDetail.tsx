import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Acknowledgments } from './Acknowledgments.tsx'
import styles from './AdvisoryDialog.module.css'
import { Churches, NewTab, OtherSources } from './DetailAside.tsx'
import { DetailBody } from './DetailBody.tsx'
import { DetailHead } from './DetailHead.tsx'
import { DetailTools } from './DetailTools.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { ADVISORIES_PATH } from './filters.ts'
import { Origin } from './Origin.tsx'

/** Content of the dialog once the advisory is loaded. */
export function DialogDetail({ detail, titleId }: { detail: AdvisoryDetailData; titleId: string }) {
  return (
    <>
      <div className={styles.head}>
        <DetailHead detail={detail} heading="h2" titleId={titleId}>
          <DetailTools detail={detail} isCompact />
        </DetailHead>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible */}
      <section className={styles.body} tabIndex={0} aria-labelledby={titleId}>
        <DetailBody detail={detail} heading="h3">
          <OtherSources detail={detail} heading="h3" />
          <Acknowledgments detail={detail} heading="h3" />
          <Churches detail={detail} heading="h3" isCompact />
        </DetailBody>
        <Origin detail={detail} />
      </section>
      <Foot detail={detail} />
    </>
  )
}

function Foot({ detail: { advisory } }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  const allAdvisories = useSite()?.all_advisories_url
  return (
    <footer className={styles.foot}>
      <ButtonLink to={`${ADVISORIES_PATH}/${advisory.id}`} look="primary">
        {t('open_full_page')}
      </ButtonLink>
      <form method="dialog">
        <Button type="submit">{t('close')}</Button>
      </form>
      <ButtonLink to={advisory.source_url} icon="external" target="_blank" rel="noopener">
        {t('official_source')}
        <NewTab />
      </ButtonLink>
      {allAdvisories && (
        <ButtonLink to={allAdvisories} look="link" icon="external" target="_blank" rel="noopener">
          {t('all_advisories_external')}
          <NewTab />
        </ButtonLink>
      )}
    </footer>
  )
}
