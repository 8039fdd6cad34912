import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { addressOf, type Filters, pagesOf } from './filters.ts'
import styles from './TravelAdvisoriesPage.module.css'

/** Links to the previous and next page, with the current page between them. */
export function Paging({ filters, shown }: { filters: Filters; shown: number }) {
  const t = useT('advisories')
  const pages = pagesOf(shown)
  const { page } = filters
  return (
    <nav className={styles.paging} aria-label={t('paging_label')}>
      {page > 1 && (
        <ButtonLink to={addressOf(filters, { page: page - 1 })} rel="prev">
          {t('previous')}
        </ButtonLink>
      )}
      <span>{t('page_of', { page, pages })}</span>
      {page < pages && (
        <ButtonLink to={addressOf(filters, { page: page + 1 })} rel="next">
          {t('next')}
        </ButtonLink>
      )}
    </nav>
  )
}
