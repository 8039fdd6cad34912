import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { zonePlace } from './days.ts'
import { LocaleRow } from './LocaleRow.tsx'
import type { Locator } from './locator.server.ts'
import { NothingFound, ResultNotes } from './ResultNotes.tsx'
import styles from './Results.module.css'
import { addressOf, firstNumber, PAGE_SIZE, pagesOf } from './search.ts'

interface Props {
  data: Locator & { hasFailed: boolean }
  zone: string | null
  active: string | null
  onActive: (id: string | null) => void
}

/** The list: complete on its own, numbered as on the map. */
export function Results({ data, zone, active, onActive }: Props) {
  const first = firstNumber(data.search)
  return (
    <section aria-labelledby="results" className={styles.results}>
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
      <Origin data={data} zone={zone} />
      {data.total > PAGE_SIZE && !data.isNearest && <Paging data={data} />}
    </section>
  )
}

/** What the list shows: the heading beside list and map. */
export function Count({ data: { search, total, place, isNearest, hasFailed } }: { data: Locator }) {
  const t = useT('churches')
  const language = useLanguage()
  const number = formatNumber(language, total)
  if (hasFailed || isNearest || total === 0) return t('results')
  if (search.point && !search.near) return t('count_near_me', { count: total, number })
  if (place) return t('count_near', { count: total, number, place: place.name })
  return t('count', { count: total, number })
}

/** Where distances and times are from. */
function Origin({ data: { place, rows, search }, zone }: { data: Locator; zone: string | null }) {
  const t = useT('churches')
  const hasTimes = zone && rows.some(({ next }) => next)
  const isNearest = rows.some(({ distance }) => distance)
  if (!isNearest && !hasTimes) return null
  return (
    <p className={styles.from}>
      {isNearest && t('nearest_first')} {isNearest && place && t('from_place', { place: place.text })}{' '}
      {isNearest && !place && search.point && t('from_me')}{' '}
      {hasTimes && (
        <span>
          {t('times_own')} <bdi>{zonePlace(zone)}</bdi>.
        </span>
      )}{' '}
      {place && t('places_from')}
    </p>
  )
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
