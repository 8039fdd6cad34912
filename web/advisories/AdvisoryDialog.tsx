import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { AdvisoryCardData } from '#shared/advisories/cards.ts'
import { ComponentBoundary } from '#web/content/ComponentBoundary.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import styles from './AdvisoryDialog.module.css'
import type { clientLoader } from './AdvisoryPage.tsx'
import headStyles from './DetailHead.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { ADVISORIES_PATH } from './filters.ts'
import { lookOf } from './head-look.ts'
import { detailIfLoaded, loadDetail } from './lazy-detail.ts'
import { SeverityTag } from './SeverityTag.tsx'

interface Props {
  id: string
  card?: AdvisoryCardData
  data?: AdvisoryDetailData
  onClose: () => void
}

/**
 * An advisory over the list. The native dialog traps and restores focus, and closes on Escape. When rendered by the
 * server it is open before any script runs, and its buttons work without scripts.
 */
export function AdvisoryDialog({ id, card, data, onClose }: Props) {
  const t = useT('advisories')
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const { Detail, detail, hasFailed } = useDetail(id, data)
  useLayoutEffect(() => {
    const element = dialog.current
    // Open already from the markup, but non-modal.
    element?.removeAttribute('open')
    element?.showModal()
    // The browser's Back removes the dialog: only closing it first restores the focus.
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      open={data !== undefined}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      closedby="any"
    >
      <form method="dialog" className={styles.corner}>
        <button type="submit" className={styles.close} aria-label={t('close')}>
          <Icon name="close" />
        </button>
      </form>
      {Detail && detail ? (
        <ComponentBoundary name="AdvisoryDialog">
          <Detail detail={detail} titleId={titleId} />
        </ComponentBoundary>
      ) : (
        <Waiting id={id} card={card} titleId={titleId} hasFailed={hasFailed} />
      )}
    </dialog>
  )
}

/** The advisory and the code that renders it, each fetched if not yet loaded. */
function useDetail(id: string, initial: AdvisoryDetailData | undefined) {
  const { load, data: fetched } = useFetcher<typeof clientLoader>()
  const [Detail, setDetail] = useState(detailIfLoaded)
  const [hasNoCode, setNoCode] = useState(false)
  const hasInitial = initial !== undefined
  useEffect(() => {
    // Sequential: when a chunk fails to load, the router reloads the whole page, and without a network the list would
    // be lost. Load it here first, where the error can be shown.
    loadDetail().then(
      () => {
        setDetail(detailIfLoaded)
        if (!hasInitial) load(`${ADVISORIES_PATH}/${id}`)
      },
      () => setNoCode(true),
    )
  }, [hasInitial, id, load])
  const answer = fetched && 'advisory' in fetched ? fetched : undefined
  // A live reload that fails keeps what is shown.
  const [latest, setLatest] = useState(answer)
  if (answer && answer !== latest) setLatest(answer)
  return { Detail, detail: initial ?? answer ?? latest, hasFailed: hasNoCode || (fetched !== undefined && !answer) }
}

/** The card's text until the detail is loaded, or a link if it fails to load. */
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
      <div className={styles.head}>
        <header className={classes(headStyles.head, headStyles[card ? lookOf(card) : 'plain'])}>
          {card && (
            <div className={headStyles.tags}>
              <SeverityTag severity={card.severity_level} />
            </div>
          )}
          <h2 id={titleId} lang={card?.title_language} dir="auto">
            {card?.title ?? t('details_loading')}
          </h2>
        </header>
      </div>
      <div className={classes(styles.body, styles.waiting)}>
        {card?.description && (
          <p lang={card.language} dir="auto">
            {card.description}
          </p>
        )}
        {hasFailed ? (
          <Note kind="error" title={t('details_failed')} isLive>
            <p>
              {t('details_failed_text')} <a href={`${ADVISORIES_PATH}/${id}`}>{t('open_page')}</a>
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
