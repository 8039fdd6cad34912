import { Link } from 'react-router'
import { PendingLevel } from '#web/advisories/PendingLevel.tsx'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import { Time } from '#web/ui/Time.tsx'
import styles from './SourceRows.module.css'
import type { RowEntry, RowTime, ShownRow } from './shown-rows.server.ts'
import { useSteadyRows } from './steady-rows.ts'

/** Each source in its own wording; one that says nothing has its row too, so that silence is not taken as a good sign. */
export function SourceRows({ code, rows }: { code: string; rows: readonly ShownRow[] }) {
  const t = useT('countries')
  const steady = useSteadyRows(rows)
  const changed = steady.flatMap(({ row, hasChanged }) => (hasChanged ? [isolated(row.name)] : []))
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ul className={styles.rows} role="list">
        {steady.map(({ row, hasChanged }) => (
          <li
            key={row.id}
            className={classes(styles.row, row.isDoubtful && styles.unknown, hasChanged && styles.changed)}
          >
            {row.entries.map((entry, index) => (
              <Entry key={entry.id} entry={entry} row={row} isFirst={index === 0} hasChanged={hasChanged} />
            ))}
            {row.more && (
              <Link to={`/travel-advisories?country=${code}&source=${row.id}`} className={styles.more}>
                {row.more}
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

interface EntryProps {
  entry: RowEntry
  row: ShownRow
  isFirst: boolean
  hasChanged: boolean
}

function Entry({ entry, row, isFirst, hasChanged }: EntryProps) {
  const t = useT('countries')
  const common = useT('common')
  return (
    <div className={styles.says}>
      <div className={styles.who}>
        {isFirst && (
          <h3>
            <bdi>{row.name}</bdi>
          </h3>
        )}
        {entry.level && <SeverityTag severity={entry.level} isPulsing={false} />}
        {!entry.isConfirmed && <UnknownTag icon="unknown">{t('tag_not_confirmed')}</UnknownTag>}
        {entry.label && <span className={styles.none}>{entry.label}</span>}
      </div>
      <div className={styles.text}>
        {entry.id && (
          <p className={styles.wording}>
            {entry.prefix}{' '}
            <Link to={`/travel-advisories/${entry.id}`}>
              <bdi lang={entry.language}>{common('quote', { text: entry.wording })}</bdi>
            </Link>
          </p>
        )}
        {entry.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {entry.hasOfficialLink && (
          <p>
            <a href={row.homepage} rel="noreferrer">
              {t('says_official')}
            </a>
          </p>
        )}
        <PendingLevel reason={entry.pending_reason} />
        {entry.description && (
          <p className={styles.description} lang={entry.language} dir="auto">
            {entry.description}
          </p>
        )}
      </div>
      <div className={styles.times}>
        {isFirst && hasChanged && <b className={styles.justNow}>{t('says_just_now')}</b>}
        {entry.times.map((time) => (
          <EntryTime key={time.label} time={time} />
        ))}
      </div>
    </div>
  )
}

function EntryTime({ time: { label, at, look, precision, isBold } }: { time: RowTime }) {
  return (
    <span className={isBold ? styles.bold : undefined}>
      {label} {at && <Time value={at} look={look} precision={precision} />}
    </span>
  )
}
