import { Link } from 'react-router'
import { doubtText, isVouchedFor, sinceText } from '../advisories/freshnessText.ts'
import { useNow, useZone } from '../lib/clock.ts'
import { formatDay } from '../lib/format.ts'
import { useLanguage, useT } from '../lib/i18n.tsx'
import { UnknownTag } from '../ui/Chip.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Time } from '../ui/Time.tsx'
import type { Landing } from './landing.ts'
import styles from './SourcesToday.module.css'

type Props = Pick<Landing, 'sources'>
type Source = Landing['sources']['list'][number]

/** Beside the question: which sources stand behind the answers today. */
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
              <State source={source} />
            </dd>
          </div>
        ))}
      </dl>
      <Link to="/travel-advisories/sources">{t('sources_all')}</Link>
    </section>
  )
}

/** The same in one line, for narrow screens where the box has no place. */
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
                <bdi>{source.name}</bdi>: <State source={source} />
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

/** One short phrase: 'checked 16:28 UTC', 'not confirmed since 14:10 UTC'. */
function State({ source }: { source: Source }) {
  const t = useT('advisories')
  const language = useLanguage()
  const zone = useZone()
  const now = useNow()
  if (source.state === 'captured') return t('captured_short', { day: formatDay(language, source.captured_on ?? 0) })
  if (source.state === 'confirmed' && source.last_success_at)
    return t('checked_at', { time: sinceText(language, source.last_success_at, zone, now) })
  return doubtText(t, language, zone, source, now)
}
