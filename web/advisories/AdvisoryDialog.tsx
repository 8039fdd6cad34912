import { useEffect, useId, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { AdvisoryCardData } from '#shared/advisories/cards.ts'
import { useT } from '../lib/i18n.tsx'
import { useSite } from '../root.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './AdvisoryDialog.module.css'
import type { clientLoader } from './AdvisoryPage.tsx'
import { Acknowledgments, AffectedAreas, NewTab, OtherSources, Timeline } from './DetailAside.tsx'
import { DetailBody } from './DetailBody.tsx'
import { DetailHead } from './DetailHead.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { SeverityTag } from './SeverityTag.tsx'

interface Props {
  id: string
  card?: AdvisoryCardData
  data?: AdvisoryDetailData
  onClose: () => void
}

/**
 * An advisory over the list: the browser's own dialog keeps the focus inside and gives it back, and closes on Escape.
 * When it comes with the page it is open before any script runs, and its buttons work without.
 */
export function AdvisoryDialog({ id, card, data, onClose }: Props) {
  const t = useT('advisories')
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const { load, data: fetched } = useFetcher<typeof clientLoader>()
  const hasData = data !== undefined
  useEffect(() => {
    if (!hasData) load(`/travel-advisories/${id}`)
  }, [hasData, id, load])
  useEffect(() => {
    // Open already from the markup, but beside the page and not over it.
    dialog.current!.removeAttribute('open')
    dialog.current!.showModal()
  }, [])

  const detail = data ?? (fetched && 'advisory' in fetched ? fetched : undefined)
  return (
    <dialog
      ref={dialog}
      open={hasData}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      closedby="any"
    >
      <form method="dialog" className={styles.corner}>
        <button type="submit" className={styles.close} aria-label={t('close')}>
          <Icon name="close" />
        </button>
      </form>
      {detail ? (
        <Loaded detail={detail} titleId={titleId} />
      ) : (
        <Waiting id={id} card={card} titleId={titleId} hasFailed={fetched !== undefined} />
      )}
    </dialog>
  )
}

function Loaded({ detail, titleId }: { detail: AdvisoryDetailData; titleId: string }) {
  const t = useT('advisories')
  const allAdvisories = useSite()?.all_advisories_url
  return (
    <>
      <header className={styles.head}>
        <DetailHead detail={detail} heading="h2" titleId={titleId} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <section className={styles.body} tabIndex={0} aria-labelledby={titleId}>
        <DetailBody detail={detail} heading="h3">
          <Timeline detail={detail} heading="h3" />
          <AffectedAreas detail={detail} heading="h3" />
          <Acknowledgments detail={detail} heading="h3" />
          <OtherSources detail={detail} heading="h3" />
        </DetailBody>
      </section>
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
        {allAdvisories && (
          <ButtonLink to={allAdvisories} look="link" icon="external" target="_blank" rel="noopener">
            {t('all_advisories_external')}
            <NewTab />
          </ButtonLink>
        )}
      </footer>
    </>
  )
}

/** What the card said, until the rest is there; or where to go when it does not come. */
function Waiting({
  id,
  card,
  titleId,
  hasFailed,
}: {
  id: string
  card: AdvisoryCardData | undefined
  titleId: string
  hasFailed: boolean
}) {
  const t = useT('advisories')
  return (
    <>
      <header className={styles.head}>
        {card && <SeverityTag severity={card.severity_level} />}
        <h2 id={titleId} lang={card?.title_language} dir="auto">
          {card?.title ?? t('details_loading')}
        </h2>
      </header>
      <div className={classes(styles.body, styles.waiting)}>
        {card && (
          <p lang={card.language} dir="auto">
            {card.description}
          </p>
        )}
        {hasFailed ? (
          <Note kind="error" title={t('details_failed')} isLive>
            <p>
              {t('details_failed_text')} <a href={`/travel-advisories/${id}`}>{t('open_page')}</a>
            </p>
          </Note>
        ) : (
          <div role="status">
            <span className="visually-hidden">{t('details_loading')}</span>
            <Skeleton />
            <Skeleton width="90%" />
            <Skeleton width="60%" />
          </div>
        )}
      </div>
    </>
  )
}
