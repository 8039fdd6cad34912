import { Link } from 'react-router'
import { isVouchedFor, sinceText } from '#web/advisories/freshness-text.ts'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { useNow, useZone } from '#web/lib/clock.ts'
import { formatDay, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './CountryHead.module.css'
import type { CountryData } from './country.server.ts'
import type { Clause } from './verdict.ts'

/** Name, level, what the sources say in their own words, and how far that can be trusted. */
export function CountryHead({ data }: { data: CountryData }) {
  const { name, level, verdict, rows } = data
  const isConfirmed = rows.some(({ kind, source }) => kind !== 'written' && isVouchedFor(source))
  return (
    <div className={classes(styles.head, !isConfirmed && styles.unknown)}>
      <div className={styles.name}>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {level && <SeverityTag severity={level} isPulsing={false} />}
      </div>
      <p className={styles.verdict} data-verdict>
        {verdict.length > 0 ? (
          verdict.map((clause, index) => <Says key={clause.source} clause={clause} isFirst={index === 0} />)
        ) : (
          <Nothing data={data} />
        )}
      </p>
      {data.hasReadSources && <DoubtLine data={data} />}
    </div>
  )
}

function Says({ clause: { source, isCountry, wording, language }, isFirst }: { clause: Clause; isFirst: boolean }) {
  const t = useT('countries')
  const marked = t(isCountry ? 'verdict_country' : 'verdict_service', { source: '\n', wording: '\n' })
  const [before, between, after] = marked.split('\n')
  return (
    <>
      {!isFirst && ' '}
      {before}
      <bdi>{source}</bdi>
      {between}
      <bdi lang={language}>{wording}</bdi>
      {after}
    </>
  )
}

/** No advisory is never an all-clear. */
function Nothing({ data: { name, hasReadSources, rows } }: { data: CountryData }) {
  const t = useT('countries')
  const country = isolated(name)
  const silent = rows.filter(({ kind }) => kind === 'silent').length
  if (!hasReadSources) return t('nothing_not_read', { country })
  return (
    <>
      {silent === 0 ? t('nothing_not_confirmed', { country }) : t('nothing_title', { country, count: silent })}{' '}
      {t('nothing_not_safe')}
    </>
  )
}

/** The only line of doubt of the page; the rows of the sources give the details. */
function DoubtLine({ data: { doubt } }: { data: CountryData }) {
  const t = useT('countries')
  return (
    <p className={styles.doubt}>
      <Icon name={doubt.unconfirmed.length > 0 ? 'unknown' : 'check'} />
      <span>
        <Confirmed doubt={doubt} /> <Unconfirmed doubt={doubt} />{' '}
        <Link to="/travel-advisories/sources">{t('sources_all')}</Link>
      </span>
    </p>
  )
}

type Doubt = CountryData['doubt']

function Confirmed({ doubt: { confirmed, total, confirmed_at, captured_on, last_success_at } }: { doubt: Doubt }) {
  const t = useT('countries')
  const language = useLanguage()
  if (confirmed > 0 && confirmed_at) {
    const [before, after] = t('doubt_confirmed', { time: '\n', confirmed, total }).split('\n')
    return (
      <>
        {before}
        <Time value={confirmed_at} look="relative" />
        {after}
      </>
    )
  }
  if (captured_on) return t('doubt_copies', { day: formatDay(language, captured_on) })
  if (!last_success_at) return t('doubt_none')
  const [before, after] = t('doubt_late', { time: '\n' }).split('\n')
  return (
    <>
      {before}
      <Time value={last_success_at} />
      {after}
    </>
  )
}

const NAMED = 3

/** Which sources are not confirmed, while others are. */
function Unconfirmed({ doubt: { confirmed, unconfirmed, since } }: { doubt: Doubt }) {
  const t = useT('countries')
  const language = useLanguage()
  const zone = useZone()
  const now = useNow()
  const [only] = unconfirmed
  if (confirmed === 0 || only === undefined) return null
  if (since) return t('doubt_since', { source: isolated(only), time: sinceText(language, since, zone, now) })
  const sources = unconfirmed.slice(0, NAMED).map(isolated).join(t('comma'))
  const more = unconfirmed.length - NAMED
  return more > 0 ? t('doubt_sources_more', { sources, more }) : t('doubt_sources', { sources })
}
