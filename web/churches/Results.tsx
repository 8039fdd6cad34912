import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { zonePlace } from './days.ts'
import { LocaleRow } from './LocaleRow.tsx'
import type { Locator } from './locator.server.ts'
import { useOwnZone } from './NextService.tsx'
import { NothingFound, ResultNotes } from './ResultNotes.tsx'
import styles from './Results.module.css'
import { addressOf, PAGE_SIZE, pagesOf } from './search.ts'

interface Props {
  data: Locator & { hasFailed: boolean; zone: string | null }
  active: string | null
  onActive: (id: string | null) => void
}

/** The list: complete on its own, numbered as on the map. */
export function Results({ data, active, onActive }: Props) {
  const t = useT('churches')
  const zone = useOwnZone(data.zone)
  const first = (data.search.page - 1) * PAGE_SIZE + 1
  const hasTimes = data.rows.some(({ next }) => next)
  return (
    <section aria-labelledby="results" className={styles.results}>
      <div className={styles.line}>
        <h2 id="results">
          <span role="status">
            <Count data={data} />
          </span>
        </h2>
        {hasTimes && zone && (
          <span className={styles.zone}>
            {t('times_own')} <bdi>{zonePlace(zone)}</bdi>
          </span>
        )}
      </div>
      <ResultNotes data={data} />
      {data.rows.length > 0 ? (
        // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
        <ol className={styles.list} role="list">
          {data.rows.map((row, i) => (
            <LocaleRow
              key={row.id}
              row={row}
              number={first + i}
              zone={zone}
              isActive={row.id === active}
              onActive={onActive}
            />
          ))}
        </ol>
      ) : (
        !data.hasFailed && <NothingFound data={data} />
      )}
      {data.total > PAGE_SIZE && !data.isNearest && <Paging data={data} />}
    </section>
  )
}

function Count({ data: { search, total, place, isNearest, hasFailed } }: { data: Locator }) {
  const t = useT('churches')
  const language = useLanguage()
  const number = formatNumber(language, total)
  if (hasFailed || isNearest || total === 0) return t('results')
  if (search.point && !search.near) return t('count_near_me', { count: total, number })
  if (place) return t('count_near', { count: total, number, place: place.name })
  return t('count', { count: total, number })
}

function Paging({ data: { search, total } }: { data: Locator }) {
  const t = useT('churches')
  const { page } = search
  const pages = pagesOf(total)
  return (
    <nav className={styles.paging} aria-label={t('paging_label')}>
      {page > 1 && (
        <ButtonLink to={addressOf(search, { page: page - 1 })} rel="prev">
          {t('previous')}
        </ButtonLink>
      )}
      <span>{t('page_of', { page, pages })}</span>
      {page < pages && (
        <ButtonLink to={addressOf(search, { page: page + 1 })} rel="next">
          {t('next_page')}
        </ButtonLink>
      )}
    </nav>
  )
}
