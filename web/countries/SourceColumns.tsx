import { Link } from 'react-router'
import { isVouchedFor } from '../advisories/freshnessText.ts'
import { SeverityTag } from '../advisories/SeverityTag.tsx'
import { formatDay } from '../lib/format.ts'
import { useLanguage, useT } from '../lib/i18n.tsx'
import { UnknownTag } from '../ui/Chip.tsx'
import { classes } from '../ui/classes.ts'
import { Time } from '../ui/Time.tsx'
import type { Column, Notice, ShownSource } from './countryPage.ts'
import styles from './SourceColumns.module.css'

/** Each source in its own words, side by side on one surface. */
export function SourceColumns({ columns, code }: { columns: readonly Column[]; code: string }) {
  return (
    <div className={styles.columns}>
      {columns.map(({ source, notices, moreCount }) => (
        <section key={source.id} className={classes(styles.column, !isVouchedFor(source) && styles.unknown)}>
          <h3>
            <bdi>{source.name}</bdi>
          </h3>
          {!isVouchedFor(source) && <Doubt source={source} />}
          {notices.map((notice) => (
            <Words key={notice.id} notice={notice} source={source} />
          ))}
          {moreCount > 0 && <More source={source} code={code} count={moreCount} />}
          <Checked source={source} />
        </section>
      ))}
    </div>
  )
}

function Doubt({ source }: { source: ShownSource }) {
  const t = useT('countries')
  const language = useLanguage()
  return (
    <p className={styles.doubt}>
      <UnknownTag icon="unknown">
        {source.state === 'captured'
          ? t('tag_captured', { day: formatDay(language, source.captured_on ?? 0) })
          : t('tag_not_confirmed')}
      </UnknownTag>
      {source.state !== 'captured' && <span>{t('says_last_known')}</span>}
    </p>
  )
}

function Words({ notice, source }: { notice: Notice; source: ShownSource }) {
  const t = useT('countries')
  return (
    <div className={styles.notice}>
      <SeverityTag severity={notice.severity_level} isPulsing={false} />
      <p>
        <q>
          <bdi lang={notice.language}>{notice.wording}</bdi>
        </q>
      </p>
      {notice.description && (
        <p className={styles.description} lang={notice.language} dir="auto">
          {notice.description}
        </p>
      )}
      <Link to={`/travel-advisories/${notice.id}`} className={styles.read}>
        {t('says_read')} <span className="visually-hidden">{t('says_read_of', { source: source.name })}</span>
      </Link>
      <p className={styles.times}>
        {t('says_changed')} <Time value={notice.last_updated} precision={notice.date_precision} />
      </p>
    </div>
  )
}

function More({ source, code, count }: { source: ShownSource; code: string; count: number }) {
  const t = useT('countries')
  return (
    <p>
      <Link to={`/travel-advisories?country=${code}&source=${source.id}`} className={styles.read}>
        {t('says_more', { count })}
      </Link>
    </p>
  )
}

/** When we looked, or when the source last answered. */
function Checked({ source: { state, last_success_at } }: { source: ShownSource }) {
  const t = useT('countries')
  if (state === 'captured') return null
  if (state === 'manual') return <p className={styles.times}>{t('says_by_hand')}</p>
  if (!last_success_at) return <p className={styles.answered}>{t('says_never_answered')}</p>
  return state === 'not_confirmed' ? (
    <p className={styles.answered}>
      {t('says_last_answered')} <Time value={last_success_at} />
    </p>
  ) : (
    <p className={styles.times}>
      {t('says_checked')} <Time value={last_success_at} look="relative" />
    </p>
  )
}

/** Sources that list nothing are named as well, so that their silence is not read as a good sign. */
export function SilentSources({ sources, country }: { sources: readonly ShownSource[]; country: string }) {
  const t = useT('countries')
  if (sources.length === 0) return null
  return (
    <div className={styles.silent}>
      <p>
        {t('says_silent', { country })}{' '}
        {sources.map((source, index) => (
          <span key={source.id}>
            {index > 0 && t('comma')}
            <bdi>{source.name}</bdi>
            {!isVouchedFor(source) &&
              ` (${t(source.state === 'captured' ? 'silent_captured' : 'silent_not_confirmed')})`}
          </span>
        ))}
        . {t('says_silent_hint')}
      </p>
    </div>
  )
}
