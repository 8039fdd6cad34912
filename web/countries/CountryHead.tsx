import { Link } from 'react-router'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './CountryHead.module.css'
import type { CountryData } from './country.server.ts'

/** Name, level, what the sources say in their own words, and how far that can be trusted. */
export function CountryHead({ data }: { data: CountryData }) {
  const { name, level, verdict, isConfirmed } = data
  return (
    <div className={classes(styles.head, !isConfirmed && styles.unknown)}>
      <div className={styles.name}>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {level && <SeverityTag severity={level} isPulsing={false} />}
      </div>
      <p className={styles.verdict} data-verdict>
        {verdict.length > 0
          ? verdict.map((clause, index) => <Says key={clause.source} clause={clause} isFirst={index === 0} />)
          : data.nothing}
      </p>
      {data.hasReadSources && <DoubtLine doubt={data.doubt} />}
    </div>
  )
}

function Says({
  clause: { source, text, wording, language },
  isFirst,
}: {
  clause: CountryData['verdict'][number]
  isFirst: boolean
}) {
  const [before, between, after] = text.split('\n')
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

/** The only line of doubt of the page; the rows of the sources give the details. */
function DoubtLine({ doubt: { isDoubtful, text, at } }: Pick<CountryData, 'doubt'>) {
  const t = useT('countries')
  const [before, after] = text.split('\n')
  return (
    <p className={styles.doubt}>
      <Icon name={isDoubtful ? 'unknown' : 'check'} />
      <span>
        {before}
        {at && <Time value={at} look="relative" />}
        {after} <Link to="/travel-advisories/sources">{t('sources_all')}</Link>
      </span>
    </p>
  )
}
