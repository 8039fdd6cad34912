import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { FORMAT_TAGS } from '#shared/language.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import styles from './AdminTable.module.css'
import { ButtonLink } from './Button.tsx'
import { Note } from './Note.tsx'
import { addressWith } from './table-address.ts'

interface Counts {
  total: number
  page: number
  per_page: number
}

/** Row numbers, CSV download, and pagination. */
export function TableFoot({ total, page, per_page, shown, csv }: Counts & { shown: number; csv?: string }) {
  const t = useT('admin')
  const language = useLanguage()
  const [params] = useSearchParams()
  const number = new Intl.NumberFormat(FORMAT_TAGS[language])
  const first = (page - 1) * per_page + 1
  const pages = Math.ceil(total / per_page)
  return (
    <div className={styles.foot}>
      <span className={styles.range}>
        {t('table_range', {
          first: number.format(first),
          last: number.format(first + shown - 1),
          total: number.format(total),
        })}
      </span>
      {csv && (
        // Not a page: the browser downloads it.
        <a href={csv} download>
          {t('table_csv')}
        </a>
      )}
      {pages > 1 && (
        <nav aria-label={t('table_pages')} className={styles.pages}>
          <span>{t('table_page', { page: number.format(page), pages: number.format(pages) })}</span>
          {page > 1 && (
            <ButtonLink to={addressWith(params, { page: page - 1 })} rel="prev">
              {t('table_previous')}
            </ButtonLink>
          )}
          {page < pages && (
            <ButtonLink to={addressWith(params, { page: page + 1 })} rel="next">
              {t('table_next')}
            </ButtonLink>
          )}
        </nav>
      )}
    </div>
  )
}

interface EmptyProps {
  hasFailed?: boolean | undefined
  isFiltered: boolean
  filters: readonly string[]
  empty: ReactNode
  total: number
}

/** No rows: failed, no matches, a page beyond the last, or an empty list. */
export function TableEmpty({ hasFailed, isFiltered, filters, empty, total }: EmptyProps) {
  const t = useT('admin')
  const [params] = useSearchParams()
  if (hasFailed)
    return (
      <Note
        kind="error"
        heading="h2"
        isLive
        title={t('table_failed')}
        action={
          <ButtonLink to={addressWith(params, { page: params.get('page') })} icon="refresh" replace>
            {t('try_again')}
          </ButtonLink>
        }
      >
        {t('table_failed_text')}
      </Note>
    )
  if (total > 0)
    return (
      <Note
        heading="h2"
        title={t('table_beyond')}
        action={<ButtonLink to={addressWith(params, { page: 1 })}>{t('table_first_page')}</ButtonLink>}
      />
    )
  if (!isFiltered) return empty
  return (
    <Note
      heading="h2"
      title={t('table_no_match')}
      action={
        <ButtonLink to={addressWith(params, Object.fromEntries(filters.map((name) => [name, null])))}>
          {t('table_clear_all')}
        </ButtonLink>
      }
    >
      {t('table_no_match_text')}
    </Note>
  )
}
