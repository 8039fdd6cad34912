import { Link } from 'react-router'
import { sourceForAdvisory } from '#shared/advisories/freshness.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { PendingLevel } from '#web/advisories/PendingLevel.tsx'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { formatDay, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import { Time } from '#web/ui/Time.tsx'
import type { ShownSource } from './country-page.ts'
import styles from './SourceRows.module.css'
import type { RowAdvisory, SourceRow } from './source-rows.ts'
import { useSteadyRows } from './steady-rows.ts'

interface Props {
  code: string
  name: string
  rows: readonly SourceRow[]
}

/** Each source in its own wording; one that says nothing has its row too, so that silence is not taken as a good sign. */
export function SourceRows({ code, name, rows }: Props) {
  const t = useT('countries')
  const steady = useSteadyRows(rows)
  const changed = steady.flatMap(({ row, hasChanged }) => (hasChanged ? [isolated(row.source.name)] : []))
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ul className={styles.rows} role="list">
        {steady.map(({ row, hasChanged }) => (
          <li
            key={row.source.id}
            className={classes(styles.row, isDoubtful(row) && styles.unknown, hasChanged && styles.changed)}
          >
            {row.kind === 'says' ? (
              row.advisories.map((advisory, index) => (
                <Says key={advisory.id} advisory={advisory} row={row} isFirst={index === 0} hasChanged={hasChanged} />
              ))
            ) : (
              <SaysNothing row={row} country={name} hasChanged={hasChanged} />
            )}
            {row.moreCount > 0 && (
              <Link to={`/travel-advisories?country=${code}&source=${row.source.id}`} className={styles.more}>
                {t('says_more', { count: row.moreCount })}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {changed.length > 0 && t('says_changed_now', { sources: changed.join(t('comma')) })}
      </p>
    </>
  )
}

const isDoubtful = ({ source, advisories }: SourceRow) =>
  !isVouchedFor(source) ||
  (advisories.length > 0 && advisories.every((advisory) => !isVouchedFor(sourceForAdvisory(source, advisory))))

interface SaysProps {
  advisory: RowAdvisory
  row: SourceRow
  isFirst: boolean
  hasChanged: boolean
}

function Says({ advisory, row, isFirst, hasChanged }: SaysProps) {
  const t = useT('countries')
  const quote = useT('common')
  const source = sourceForAdvisory(row.source, advisory)
  return (
    <div className={styles.says}>
      <div className={styles.who}>
        {isFirst && <Name source={row.source} />}
        <SeverityTag severity={advisory.severity_level} isPulsing={false} />
        <DoubtTag source={source} />
      </div>
      <div className={styles.text}>
        <p className={styles.wording}>
          {!isVouchedFor(source) && <>{t('says_last_known')} </>}
          <Link to={`/travel-advisories/${advisory.id}`}>
            <bdi lang={advisory.language}>{quote('quote', { text: advisory.wording })}</bdi>
          </Link>
        </p>
        {advisory.gloss && <p>{advisory.gloss}</p>}
        <Area area={advisory.area} />
        <PendingLevel reason={advisory.pending_reason} />
        {advisory.description && (
          <p className={styles.description} lang={advisory.language} dir="auto">
            {advisory.description}
          </p>
        )}
      </div>
      <p className={styles.times}>
        {isFirst && hasChanged && <b className={styles.justNow}>{t('says_just_now')}</b>}
        <span>
          {t('says_changed')} <Time value={advisory.last_updated} precision={advisory.date_precision} look="day" />
        </span>
        <Confirmed source={source} />
      </p>
    </div>
  )
}

const Name = ({ source }: { source: ShownSource }) => (
  <h3>
    <bdi>{source.name}</bdi>
  </h3>
)

function Area({ area }: { area: RowAdvisory['area'] }) {
  const t = useT('countries')
  if (!area) return null
  if (area.kind === 'whole') return <p>{t('area_whole')}</p>
  if (area.kind === 'countries') return <p>{t('area_countries', { count: area.count })}</p>
  const names = area.names.map(isolated).join(t('comma'))
  return <p>{area.more > 0 ? t('area_named_more', { names, more: area.more }) : t('area_named', { names })}</p>
}

function DoubtTag({ source }: { source: ShownSource }) {
  const t = useT('countries')
  return isVouchedFor(source) ? null : <UnknownTag icon="unknown">{t('tag_not_confirmed')}</UnknownTag>
}

function SaysNothing({ row, country, hasChanged }: { row: SourceRow; country: string; hasChanged: boolean }) {
  const t = useT('countries')
  const { kind, source, country_code, entered_at } = row
  const written = country_code === 'PH' ? 'says_written_ph' : 'says_written'
  const text = kind === 'unknown' ? UNKNOWN[source.reading] : kind === 'silent' ? 'says_silent' : written
  return (
    <div className={styles.says}>
      <div className={styles.who}>
        <Name source={source} />
        {kind === 'unknown' && source.state !== 'off' && <DoubtTag source={source} />}
        {kind === 'silent' && <span className={styles.none}>{t('says_none')}</span>}
        {kind === 'written' && <span className={styles.none}>{t('says_none_written')}</span>}
      </div>
      <p className={styles.text}>
        {t(text, { country: isolated(country) })}
        {(kind === 'written' || source.state === 'off') && (
          <>
            {' '}
            <a href={source.homepage} rel="noreferrer">
              {t('says_official')}
            </a>
          </>
        )}
      </p>
      <p className={styles.times}>
        {hasChanged && <b className={styles.justNow}>{t('says_just_now')}</b>}
        {kind !== 'written' ? (
          <Confirmed source={source} />
        ) : entered_at ? (
          <span>
            {t('says_entered')} <Time value={entered_at} look="day" />
          </span>
        ) : (
          <span>{t('says_never_entered')}</span>
        )}
      </p>
    </div>
  )
}

const UNKNOWN = {
  confirmed: 'says_silent',
  late: 'says_unknown',
  failed: 'says_failed',
  not_read: 'says_not_read',
  copy: 'says_copy',
  manual: 'says_written',
  off: 'says_off',
} as const satisfies Record<ShownSource['reading'], string>

/** When we confirmed it, when the source last responded, or of which day the copy is. */
function Confirmed({ source: { state, reading, last_success_at, captured_on } }: { source: ShownSource }) {
  const t = useT('countries')
  const language = useLanguage()
  if (state === 'off') return null
  if (state === 'captured') return <b>{t('tag_captured', { day: formatDay(language, captured_on ?? 0) })}</b>
  if (state === 'manual') return <span>{t('written_manually')}</span>
  if (!last_success_at) return reading === 'not_read' ? null : <b>{t('says_never_answered')}</b>
  return state === 'not_confirmed' ? (
    <b>
      {t('says_last_answered')} <Time value={last_success_at} />
    </b>
  ) : (
    <span>
      {t('says_checked')} <Time value={last_success_at} look="relative" />
    </span>
  )
}
