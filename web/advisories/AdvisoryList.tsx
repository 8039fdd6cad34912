import { lazy, type ReactNode, Suspense } from 'react'
import { useRevalidator } from 'react-router'
import { TILE_LEVELS, type Tile } from '#shared/advisories/cards.ts'
import { TICKER_REFRESH_MS } from '#shared/advisories/ticker.ts'
import { ComponentBoundary } from '#web/content/ComponentBoundary.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tiles } from '#web/ui/Tiles.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import { AdvisoryDialog } from './AdvisoryDialog.tsx'
import { CardGrid } from './CardGrid.tsx'
import { useAdvisoryEvents } from './events.ts'
import { FilterForm } from './FilterForm.tsx'
import { activeFilters, addressOf, NO_FILTERS } from './filters.ts'
import { LoadingCards } from './LoadingCards.tsx'
import type { AdvisoryListing } from './list.server.ts'
import { OldListNote } from './OldListNote.tsx'
import { Paging } from './Paging.tsx'
import { pageStateOf } from './page-state.ts'
import { usePolling } from './poll.ts'
import { SourceNotes } from './SourceNotes.tsx'
import { SourcesBelow } from './SourcesBelow.tsx'
import styles from './TravelAdvisoriesPage.module.css'
import { useOpenAdvisory } from './useOpenAdvisory.ts'
import { useRefresh, useSlowNavigation } from './useRefresh.ts'

// Most lists are not empty.
const EmptyList = lazy(async () => ({ default: (await import('./EmptyList.tsx')).EmptyList }))

interface Props {
  data: AdvisoryListing
  hasFailed: boolean
  /** Shown between the totals and the list. */
  map: ReactNode
}

/** The list and everything that updates with it. */
export function AdvisoryList({ data, hasFailed, map }: Props) {
  const t = useT('advisories')
  const { revalidate } = useRevalidator()
  const refreshing = useRefresh(data, hasFailed)
  const isLoading = useSlowNavigation()
  const { open, select, close } = useOpenAdvisory(data.highlighted)
  useAdvisoryEvents(revalidate)
  usePolling(revalidate, TICKER_REFRESH_MS)

  const { filters, shown, total } = data
  const isFiltered = activeFilters(filters).length > 0
  const state = pageStateOf({ isLoading, hasFailed: false, shown, total, isFiltered })
  return (
    <>
      {open && <AdvisoryDialog key={open.id} {...open} onClose={close} />}
      <Overview
        tiles={state === 'loading' ? undefined : data.tiles}
        isKnown={data.hasReadSources || total > 0}
        filters={filters}
      />
      <SourceNotes sources={data.sources} />
      {map}
      {data.ignored.length > 0 && (
        <Note title={t('ignored_title')}>
          <p>{t('ignored_text', { names: data.ignored.join(', ') })}</p>
        </Note>
      )}
      {data.isHighlightUnknown && (
        <Note title={t('unknown_advisory')}>
          <p>{t('unknown_advisory_text')}</p>
        </Note>
      )}
      <FilterForm filters={filters} hasOwnCountries={data.hasOwnCountries} refreshing={refreshing} />
      <ActiveFilters data={data} refreshedAt={refreshing.refreshedAt} />
      {refreshing.hasFailed && state !== 'loading' && (
        <OldListNote refreshedAt={refreshing.refreshedAt} retry={refreshing.refresh} />
      )}
      {state === 'loading' && <LoadingCards />}
      {state === 'list' && (
        <section aria-labelledby="current">
          <h2 id="current" className={styles.heading}>
            {t('current_advisories', { n: shown })}
          </h2>
          <CardGrid cards={data.cards} sources={data.sources} onSelect={select} />
          <Paging filters={filters} shown={shown} />
        </section>
      )}
      {(state === 'empty' || state === 'no_match') && (
        <ComponentBoundary name="EmptyList">
          <Suspense>
            <EmptyList state={state} data={data} refreshing={refreshing} />
          </Suspense>
        </ComponentBoundary>
      )}
      <SourcesBelow sources={data.sources} />
    </>
  )
}

/** Totals of all advisories in force, regardless of filters; each links to the list it counts. */
function Overview({
  tiles,
  isKnown,
  filters,
}: {
  tiles: AdvisoryListing['tiles'] | undefined
  isKnown: boolean
  filters: AdvisoryListing['filters']
}) {
  const t = useT('advisories')
  const language = useLanguage()
  // With a further filter the list does not match the tile's count.
  const others = activeFilters(filters).filter((name) => name !== 'severities')
  const chosen = others.length === 0 ? filters.severities.join() : undefined
  return (
    <nav className={styles.part} aria-label={t('tiles_label')}>
      <Tiles
        label={t('tiles_label')}
        tiles={(Object.keys(TILE_LEVELS) as Tile[]).map((tile) => ({
          key: tile,
          label: t(`tile_${tile}`),
          value: tiles && (isKnown ? formatNumber(language, tiles[tile]) : '–'),
          to: addressOf(NO_FILTERS, { severities: [...TILE_LEVELS[tile]] }),
          isChosen: TILE_LEVELS[tile].join() === chosen,
        }))}
      />
    </nav>
  )
}
