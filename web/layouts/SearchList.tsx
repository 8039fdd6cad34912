import { useEffect } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Marked } from './Marked.tsx'
import styles from './SearchResults.module.css'
import type { ResultGroup, SearchResults } from './search-results.ts'

interface Props {
  id: string
  results: SearchResults | null
  isWaiting: boolean
  search: string
  active: number
  onSuggest: (suggestion: string) => void
}

/** The results below the search field. A click must not take the focus from the field, or the list would close. */
export function SearchList({ id, results, isWaiting, search, active, onSuggest }: Props) {
  const t = useT('admin')
  const count = results?.groups.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const isNothing = results !== null && count === 0
  let before = 0
  return (
    <>
      {(isWaiting || results) && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it keeps the focus in the field, whose keys move in it
        <div className={styles.list} onMouseDown={(event) => event.preventDefault()} role="presentation">
          {isWaiting && <p className={styles.message}>{t('search_waiting')}</p>}
          {isNothing && (
            <p className={styles.message}>
              {t('search_nothing', { search })}{' '}
              {results.suggestion && (
                <Button look="link" onClick={() => onSuggest(results.suggestion ?? '')}>
                  {t('search_suggestion', { suggestion: results.suggestion })}
                </Button>
              )}
            </p>
          )}
          {count > 0 && (
            <div id={`${id}-list`} role="listbox" aria-label={t('search_title')} tabIndex={-1}>
              {results?.groups.map((group) => {
                const first = before
                before += group.rows.length
                return <Group key={group.kind} {...{ id, group, first, search, active }} />
              })}
            </div>
          )}
          {count > 0 && <p className={styles.keys}>{t('search_keys')}</p>}
        </div>
      )}
      <p role="status" className="visually-hidden">
        {results && (count > 0 ? t('search_count', { count }) : t('search_nothing', { search }))}
      </p>
    </>
  )
}

interface GroupProps extends Pick<Props, 'id' | 'search' | 'active'> {
  group: ResultGroup
  /** Number of the options before this group. */
  first: number
}

function Group({ id, group: { kind, rows, total, all }, first, search, active }: GroupProps) {
  const t = useT('admin')
  const language = useLanguage()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a listbox
    <div role="group" aria-labelledby={`${id}-${kind}`}>
      <div className={styles.heading} role="presentation">
        <span id={`${id}-${kind}`}>{t(`search_kind_${kind}`)}</span>
        {all && total > rows.length && (
          <Link to={all} tabIndex={-1} aria-hidden="true">
            {t('search_all', { n: formatNumber(language, total) })}
          </Link>
        )}
      </div>
      {rows.map(({ to, title, detail }, at) => (
        <Link
          key={to + title}
          id={`${id}-${first + at}`}
          to={to}
          role="option"
          aria-selected={active === first + at}
          tabIndex={-1}
          className={styles.option}
        >
          <span>
            <Marked text={title} search={search} />
          </span>
          {detail && (
            <span>
              <Marked text={detail} search={search} />
            </span>
          )}
        </Link>
      ))}
    </div>
  )
}
