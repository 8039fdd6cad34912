import { useT } from '#web/lib/i18n.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import grid from './AdvisoryCard.module.css'
import styles from './TravelAdvisoriesPage.module.css'

const SKELETON_CARDS = 6

/** Skeletons of six cards, with text for screen readers. */
export function LoadingCards() {
  const t = useT('advisories')
  return (
    <div aria-busy="true">
      <p role="status">
        {t('loading_title')} <small>{t('loading_text')}</small>
      </p>
      <div className={grid.grid} aria-hidden="true">
        {Array.from({ length: SKELETON_CARDS }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all items are identical
          <div key={i} className={`${grid.card} ${styles.skeleton}`} data-skeleton="card">
            <Skeleton width="7rem" height="1.75rem" />
            <Skeleton width="80%" height="1.4rem" />
            <Skeleton height="1rem" />
            <Skeleton width="60%" height="1rem" />
            <Skeleton width="50%" height="1rem" />
          </div>
        ))}
      </div>
    </div>
  )
}
