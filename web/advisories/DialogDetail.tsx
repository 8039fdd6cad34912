import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Acknowledgments } from './Acknowledgments.tsx'
import styles from './AdvisoryDialog.module.css'
import { AffectedAreas, Churches, NewTab, OtherSources, Timeline } from './DetailAside.tsx'
import { DetailBody } from './DetailBody.tsx'
import { DetailHead } from './DetailHead.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { notifyPath } from './notify-path.ts'

/** Content of the dialog once the advisory is loaded. */
export function DialogDetail({ detail, titleId }: { detail: AdvisoryDetailData; titleId: string }) {
  return (
    <>
      <header className={styles.head}>
        <DetailHead detail={detail} heading="h2" titleId={titleId} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible */}
      <section className={styles.body} tabIndex={0} aria-labelledby={titleId}>
        <DetailBody detail={detail} heading="h3">
          <Timeline detail={detail} heading="h3" />
          <AffectedAreas detail={detail} heading="h3" />
          <Acknowledgments detail={detail} heading="h3" />
          <OtherSources detail={detail} heading="h3" />
          <Churches detail={detail} heading="h3" isCompact />
        </DetailBody>
      </section>
      <Foot detail={detail} />
    </>
  )
}

function Foot({ detail }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  const allAdvisories = useSite()?.all_advisories_url
  return (
    <footer className={styles.foot}>
      <form method="dialog">
        <Button type="submit" look="primary">
          {t('close')}
        </Button>
      </form>
      <ButtonLink to={detail.advisory.source_url} icon="external" target="_blank" rel="noopener">
        {t('official_source')}
        <NewTab />
      </ButtonLink>
      <ButtonLink to={notifyPath(detail.countries)} icon="bell">
        {t('notify_me')}
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
