import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'
import { bannerSeverity, CARD_COUNTRIES } from '#shared/advisories/cards.ts'
import type { Advisory } from '#shared/advisories/endpoints.ts'
import { byUrgency } from '#shared/advisories/severity.ts'
import { call } from '#web/lib/call.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './AdvisoryBanner.module.css'
import { useAdvisoryEvents } from './events.ts'
import { pollWhileVisible } from './poll.ts'

export const BANNER_REFRESH_MS = 180_000
export const BANNER_OPTIONS = { maxItems: 8, showOnlyUrgent: false, autoRefresh: true } as const

export type BannerItem = Pick<
  Advisory,
  'id' | 'title' | 'language' | 'severity_level' | 'is_urgent' | 'last_updated' | 'affected_countries' | 'country_codes'
>

interface Props {
  /** Items loaded with the page; if omitted, the banner fetches them itself. */
  items?: readonly BannerItem[]
  maxItems?: number
  showOnlyUrgent?: boolean
  autoRefresh?: boolean
  /** Limits the banner to advisories on these countries. */
  countries?: readonly string[]
}

/** Banner of the signed-in area, coloured by the highest level in it. Renders nothing without advisories. */
export function AdvisoryBanner(props: Props) {
  const { maxItems, showOnlyUrgent, autoRefresh } = { ...BANNER_OPTIONS, ...props }
  const loaded = useBannerItems(props.items, { maxItems, showOnlyUrgent, autoRefresh, countries: props.countries })
  const [isPaused, setPaused] = useState(false)
  const t = useT('advisories')
  const items = bannerItems(loaded ?? [], { maxItems, showOnlyUrgent })
  const severity = bannerSeverity(items)
  if (!severity) return null
  return (
    <section
      className={classes(styles.banner, styles[severity])}
      aria-label={t('banner_label')}
      data-severity={severity}
    >
      <button
        type="button"
        className={classes(styles.pause, 'needs-script')}
        aria-label={isPaused ? t('ticker_resume') : t('ticker_pause')}
        onClick={() => setPaused(!isPaused)}
      >
        <Icon name={isPaused ? 'play' : 'pause'} />
      </button>
      <b className={styles.word}>
        <Icon name={severity} /> {t(`severity_${severity}`)}
      </b>
      <div className={styles.window}>
        <ul className={classes(styles.track, isPaused && styles.paused)}>
          {items.map((item) => (
            <li key={item.id}>
              <BannerLink item={item} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Most urgent first, at most the requested number. */
export function bannerItems<T extends BannerItem>(
  items: readonly T[],
  { maxItems, showOnlyUrgent }: { maxItems: number; showOnlyUrgent: boolean },
): T[] {
  return items
    .filter(({ is_urgent }) => !showOnlyUrgent || is_urgent)
    .sort(byUrgency)
    .slice(0, maxItems)
}

function BannerLink({ item }: { item: BannerItem }) {
  const t = useT('advisories')
  const language = useLanguage()
  const names = item.affected_countries.map((english, i) => nameIn(language, item.country_codes[i], english))
  const hidden = names.length - CARD_COUNTRIES
  return (
    <Link to={`/travel-advisories?highlight=${item.id}`}>
      <span className={styles.dot} data-severity={item.severity_level} aria-hidden="true" />
      <span className="visually-hidden">{t(`severity_${item.severity_level}`)}: </span>
      <bdi lang={item.language}>{item.title}</bdi>
      {names.length > 0 && (
        <span className={styles.countries}>
          {' '}
          {names.slice(0, CARD_COUNTRIES).join(t('comma'))}
          {hidden > 0 && ` ${t('more_countries', { n: hidden })}`}
        </span>
      )}
    </Link>
  )
}

/** Only called in the browser: the banner is rendered from data fetched there. */
function nameIn(language: string, code: string | undefined, english: string): string {
  if (!code || language === 'en') return english
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? english
}

function useBannerItems(
  initialItems: readonly BannerItem[] | undefined,
  options: Required<Pick<Props, 'maxItems' | 'showOnlyUrgent' | 'autoRefresh'>> & Pick<Props, 'countries'>,
) {
  const [items, setItems] = useState(initialItems)
  const { maxItems, showOnlyUrgent, autoRefresh, countries } = options
  const load = () => {
    const query = {
      limit: 2 * maxItems,
      ...(showOnlyUrgent && { urgent: 'true' }),
      ...(countries && { countries: countries.join() }),
    }
    call('GET /public/travel-advisories', { query }, { timeout: 'short', retries: 1 }).then(
      ({ advisories }) => setItems(advisories),
      // On failure the banner keeps its content, or stays absent (C-40).
      () => {},
    )
  }
  const run = useEffectEvent(load)
  const isMissing = items === undefined
  useEffect(() => {
    if (isMissing) run()
  }, [isMissing])
  useEffect(() => (autoRefresh ? pollWhileVisible(() => run(), BANNER_REFRESH_MS) : undefined), [autoRefresh])
  useAdvisoryEvents(load)
  return items
}
