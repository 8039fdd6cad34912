import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'
import { TICKER_DEFAULT_ITEMS, TICKER_REFRESH_MS } from '#shared/advisories/ticker.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { useAdvisoryEvents } from './events.ts'
import styles from './NewsTicker.module.css'
import { usePolling } from './poll.ts'
import { TickerTrack } from './TickerTrack.tsx'
import { loadTicker, lookOf, type TickerContent, type TickerState } from './ticker-state.ts'

interface Props extends Partial<TickerContent> {
  maxItems?: number
}

/** The bar at the top of public pages. An error in it never affects the page below. */
export function NewsTicker(props: Props) {
  const t = useT('common')
  return (
    <ErrorBoundary
      isAutoRetrying
      resetKeys={[props.items]}
      fallback={() => <p className={styles.bar}>{t('ticker_unavailable')}</p>}
    >
      <Bar {...props} />
    </ErrorBoundary>
  )
}

function Bar({ items, not_confirmed, has_read_sources, maxItems = TICKER_DEFAULT_ITEMS }: Props) {
  const t = useT('common')
  const { content, problem } = useTicker(
    items && { items, not_confirmed: not_confirmed ?? [], has_read_sources: has_read_sources ?? true },
    maxItems,
  )
  const [mayMove, setMayMove] = useState(false)
  const [isPaused, setPaused] = useState(false)
  useEffect(() => setMayMove(!matchMedia('(prefers-reduced-motion: reduce)').matches), [])
  const look = lookOf({ content, problem }, mayMove)
  const hasItems = look === 'scrolling' || look === 'static'
  return (
    <section className={styles.bar} aria-label={t('ticker_label')} data-look={look}>
      <div className={styles.inside}>
        {hasItems && (
          <button
            type="button"
            className={`${styles.pause} needs-script`}
            aria-label={isPaused ? t('ticker_resume') : t('ticker_pause')}
            onClick={() => setPaused(!isPaused)}
          >
            <Icon name={isPaused ? 'play' : 'pause'} />
          </button>
        )}
        <Unconfirmed names={content?.not_confirmed ?? []} />
        {hasItems && (
          <>
            <b className={styles.latest}>{t('latest')}</b>
            <TickerTrack
              items={content?.items.slice(0, maxItems) ?? []}
              isMoving={look === 'scrolling'}
              isPaused={isPaused}
            />
          </>
        )}
        {look === 'loading' && <span className={styles.words}>{t('ticker_loading')}</span>}
        {look === 'empty' && (
          <span className={styles.words}>{t(content?.has_read_sources ? 'ticker_empty' : 'nothing_read')}</span>
        )}
        {problem !== null && (
          <span className={styles.words} role="status">
            {look === 'error'
              ? problem || t('ticker_failed')
              : t('ticker_refresh_failed', { message: problem || t('ticker_failed') })}
          </span>
        )}
        <Link to="/travel-advisories" className={styles.all}>
          {t('all_advisories')}
        </Link>
      </div>
    </section>
  )
}

/** Dashed beside everything else: a silent source must not look like good news. */
function Unconfirmed({ names }: { names: readonly string[] }) {
  const t = useT('common')
  const distinct = [...new Set(names)]
  const [first] = distinct
  if (first === undefined) return null
  const text =
    distinct.length === 1
      ? t('ticker_not_confirmed', { name: first })
      : t('ticker_not_confirmed_many', { count: distinct.length })
  return (
    <Link to="/travel-advisories/sources" className={styles.unknown}>
      <Icon name="unknown" />
      <span className={styles.unknownWords}>{text}</span>
    </Link>
  )
}

/** Content sent with the page, refetched every five minutes while visible and after changes. */
function useTicker(pageContent: TickerContent | undefined, maxItems: number): TickerState {
  const [state, setState] = useState<TickerState>({ content: pageContent ?? null, problem: null })
  const [shown, setShown] = useState(pageContent?.items)
  // A page that was revalidated brings newer items than this state.
  if (pageContent && pageContent.items !== shown) {
    setShown(pageContent.items)
    setState({ content: pageContent, problem: null })
  }
  const language = useLanguage()
  const reload = () =>
    loadTicker(language, maxItems).then(
      (content) => setState({ content, problem: null }),
      (error: Error) => setState(({ content }) => ({ content, problem: error.message })),
    )
  const isMissing = state.content === null
  const loadFirst = useEffectEvent(reload)
  useEffect(() => {
    if (isMissing) loadFirst()
  }, [isMissing])
  usePolling(reload, TICKER_REFRESH_MS)
  useAdvisoryEvents(reload)
  return state
}
