import { Link } from 'react-router'
import { sourceForAdvisory } from '#shared/advisories/freshness.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { PendingLevel } from '#web/advisories/PendingLevel.tsx'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { formatDay, isolated } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Column, ShownAdvisory, ShownSource } from './country-page.ts'
import styles from './SourceColumns.module.css'

/** Each source with its own wording, side by side. */
export function SourceColumns({ columns, code }: { columns: readonly Column[]; code: string }) {
  return (
    <div className={styles.columns}>
      {columns.map(({ source, advisories, moreCount }) => (
        <section key={source.id} className={classes(styles.column, !isVouchedFor(source) && styles.unknown)}>
          <h3>
            <bdi>{source.name}</bdi>
          </h3>
          {!isVouchedFor(source) && <Doubt source={source} />}
          {advisories.map((advisory) => (
            <AdvisorySummary key={advisory.id} advisory={advisory} source={source} />
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

function AdvisorySummary({ advisory, source }: { advisory: ShownAdvisory; source: ShownSource }) {
  const t = useT('countries')
  const quote = useT('common')
  return (
    <div className={styles.notice}>
      <SeverityTag severity={advisory.severity_level} isPulsing={false} />
      <p>
        <bdi lang={advisory.language}>{quote('quote', { text: advisory.wording })}</bdi>
      </p>
      <PendingLevel reason={advisory.pending_reason} />
      {advisory.description && (
        <p className={styles.description} lang={advisory.language} dir="auto">
          {advisory.description}
        </p>
      )}
      <Link to={`/travel-advisories/${advisory.id}`} className={styles.read}>
        {t('says_read')} <span className="visually-hidden">{t('says_read_of', { source: source.name })}</span>
      </Link>
      {advisory.captured_on && source.state === 'confirmed' && <Doubt source={sourceForAdvisory(source, advisory)} />}
      <p className={styles.times}>
        {t('says_changed')} <Time value={advisory.last_updated} precision={advisory.date_precision} />
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

/** When we checked, or when the source last responded. */
function Checked({ source: { state, last_success_at } }: { source: ShownSource }) {
  const t = useT('countries')
  if (state === 'captured') return null
  if (state === 'manual') return <p className={styles.times}>{t('written_manually')}</p>
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

/** Reasons why a source is unknown, each on its own line. */
const UNKNOWN: readonly { key: Key<'countries'>; readings: readonly ShownSource['reading'][] }[] = [
  { key: 'says_not_read', readings: ['not_read'] },
  { key: 'says_failed', readings: ['failed'] },
  { key: 'says_copy', readings: ['copy'] },
  { key: 'says_unknown', readings: ['late', 'off'] },
]

interface OtherProps {
  silent: readonly ShownSource[]
  unknown: readonly ShownSource[]
  country: string
}

/** Sources without an advisory are named as well, so that silence is not taken as a good sign. */
export function OtherSources({ silent, unknown, country }: OtherProps) {
  const t = useT('countries')
  const names = (sources: readonly ShownSource[]) => sources.map(({ name }) => isolated(name)).join(t('comma'))
  return (
    <div className={styles.others}>
      {silent.length > 0 && (
        <p>
          {t('says_silent', { country: isolated(country), sources: names(silent) })} {t('says_silent_hint')}
        </p>
      )}
      {UNKNOWN.map(({ key, readings }) => {
        const sources = unknown.filter(({ reading }) => readings.includes(reading))
        return (
          sources.length > 0 && (
            <p key={key} className={styles.notKnown}>
              <Icon name="unknown" />
              <span>{t(key, { sources: names(sources) })}</span>
            </p>
          )
        )
      })}
    </div>
  )
}
