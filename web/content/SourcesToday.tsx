import { Link } from 'react-router'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { useZone } from '#web/lib/clock.ts'
import { formatDay, formatRecent } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Landing } from './landing.ts'
import styles from './SourcesToday.module.css'

type Props = Pick<Landing, 'sources'>
type Source = Landing['sources']['list'][number]

/** Beside the question: the sources behind today's answers. */
export function SourcesToday({ sources }: Props) {
  const t = useT('countries')
  return (
    <section className={styles.box} aria-labelledby="sources-today">
      <h2 id="sources-today">{t('sources_today')}</h2>
      <dl>
        {sources.list.map((source) => (
          <div key={source.id} className={classes(styles.row, !isVouchedFor(source) && styles.unknown)}>
            <dt>
              <bdi>{source.name}</bdi>
            </dt>
            <dd>
              <State source={source} thisYear={sources.thisYear} />
            </dd>
          </div>
        ))}
      </dl>
      <Link to="/travel-advisories/sources">{t('sources_all')}</Link>
    </section>
  )
}

/** The same on one line, for narrow screens without room for the box. */
export function SourcesConfirmed({ sources }: Props) {
  const t = useT('countries')
  const { confirmed, total, last_success_at, list } = sources
  return (
    <div className={styles.line}>
      <p>
        <Icon name="clock" /> <b>{t('sources_confirmed', { confirmed, total })}</b>{' '}
        {last_success_at && <Time value={last_success_at} look="relative" />}
      </p>
      {list
        .filter((source) => !isVouchedFor(source))
        .map((source) => (
          <p key={source.id}>
            <UnknownTag icon="unknown">
              <span>
                <bdi>{source.name}</bdi>: <State source={source} thisYear={sources.thisYear} />
              </span>
            </UnknownTag>
          </p>
        ))}
      <p>
        <Link to="/travel-advisories/sources">{t('sources_all')}</Link>
      </p>
    </div>
  )
}

interface StateProps {
  source: Source
  thisYear: number
}

/** One short phrase. It must not change on hydration: nothing below may shift. */
function State({ source, thisYear }: StateProps) {
  const t = useT('common')
  const language = useLanguage()
  const zone = useZone()
  const { state, reading, last_success_at, not_confirmed_since, captured_on } = source
  const at = (instant: string) => formatRecent(language, instant, zone, thisYear)
  if (state === 'captured') return t('captured_short', { day: formatDay(language, captured_on ?? 0) })
  if (state === 'confirmed' && last_success_at) return t('checked_at', { time: at(last_success_at) })
  if (not_confirmed_since) return t('not_confirmed_since', { time: at(not_confirmed_since) })
  return t(reading === 'failed' ? 'never_read_failed' : 'never_confirmed')
}
