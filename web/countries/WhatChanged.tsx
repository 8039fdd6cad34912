import { Link } from 'react-router'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { useZone } from '#web/lib/clock.ts'
import { formatDay, isolated } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Change } from './country-page.ts'
import styles from './WhatChanged.module.css'

interface Props {
  code: string
  changes: readonly Change[]
  /** All that there are, and the date of the oldest. */
  total: number
  since: string | null
  isAll: boolean
  /** Before any source was read, an empty history means nothing. */
  hasReadSources: boolean
}

const LOOKS: Record<Change['kind'], { icon: IconName; label: Key<'countries'> }> = {
  first_read: { icon: 'plus', label: 'timeline_first_read' },
  new: { icon: 'plus', label: 'timeline_new' },
  raised: { icon: 'top', label: 'timeline_raised' },
  lowered: { icon: 'down', label: 'timeline_lowered' },
  text: { icon: 'pencil', label: 'timeline_text' },
  urgency: { icon: 'pencil', label: 'timeline_urgency' },
  date: { icon: 'pencil', label: 'timeline_date' },
  excluded: { icon: 'close', label: 'timeline_excluded' },
  missing: { icon: 'unknown', label: 'timeline_missing' },
  withdrawn: { icon: 'close', label: 'timeline_withdrawn' },
  cancelled: { icon: 'close', label: 'timeline_cancelled' },
  expired: { icon: 'clock', label: 'timeline_expired' },
  ended: { icon: 'close', label: 'timeline_ended' },
}

/** Changes of advisories on a country, newest first, including those that are gone. */
export function WhatChanged({ code, changes, total, since, isAll, hasReadSources }: Props) {
  const t = useT('countries')
  const language = useLanguage()
  const zone = useZone()
  if (changes.length === 0) return <p>{t(hasReadSources ? 'changed_none' : 'nothing_read')}</p>
  return (
    <div className={styles.box}>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ol className={styles.timeline} role="list">
        {changes.map((change) => (
          <Row key={change.key} change={change} />
        ))}
      </ol>
      <p className={styles.links}>
        {total > changes.length && (
          <Link to={`/countries/${code}?changes=all#changes`}>
            {t('changed_all', { count: total, day: formatDay(language, since ?? 0, zone) })}
          </Link>
        )}
        {isAll && <Link to={`/countries/${code}#changes`}>{t('changed_latest')}</Link>}
        <a href={`/countries/${code}/feed.atom`} type="application/atom+xml">
          {t('changed_feed')}
        </a>
      </p>
    </div>
  )
}

function Row({ change }: { change: Change }) {
  const t = useT('countries')
  const { icon, label } = LOOKS[change.kind]
  return (
    <li className={styles.event} data-kind={change.kind}>
      <span className={styles.dot}>
        <Icon name={icon} />
      </span>
      <div className={styles.head}>
        <Tags change={change} />
        <Link to={`/travel-advisories/${change.advisory_id}`}>
          <bdi>{change.source}</bdi>: {t(label)}
        </Link>
      </div>
      <p className={styles.text}>
        <ChangeSentence change={change} />
      </p>
      <Time value={change.at} precision={change.precision} look="day" />
    </li>
  )
}

/** Before and after if the level changed; only the level for a new advisory. Removed ones have no colour. */
function Tags({ change: { kind, before, after } }: { change: Change }) {
  const t = useT('countries')
  if (kind === 'raised' || kind === 'lowered')
    return (
      <span className={styles.tags}>
        {before && <SeverityTag severity={before} isPulsing={false} />}
        <span className="visually-hidden">{t('timeline_to')}</span>
        <Icon name="arrow" />
        {after && <SeverityTag severity={after} isPulsing={false} />}
      </span>
    )
  return (kind === 'new' || kind === 'first_read') && after ? <SeverityTag severity={after} isPulsing={false} /> : null
}

const FIELDS: Record<string, Key<'countries'>> = {
  description: 'changed_field_description',
  text: 'changed_field_description',
  detailed_information: 'changed_field_detailed_information',
  recommendations: 'changed_field_recommendations',
  affected_countries: 'changed_field_affected_countries',
  affected_regions: 'changed_field_affected_regions',
  affected_cities: 'changed_field_affected_cities',
  is_urgent: 'changed_field_urgency',
  expiry_date: 'changed_field_expiry_date',
  effective_date: 'changed_field_effective_date',
}

/** Kinds that are described by what differs; the others by the wording that began or ended. */
const DIFFERENCES: ReadonlySet<Change['kind']> = new Set(['raised', 'lowered', 'text', 'urgency', 'date'])

const EXPLAINED: { [Kind in Change['kind']]?: Key<'countries'> } = {
  missing: 'timeline_missing_text',
  withdrawn: 'timeline_withdrawn_text',
  ended: 'timeline_ended_text',
}

/** One change, in the source's own wording where available. */
export function ChangeSentence({ change: { kind, wording, language, detail, isOver } }: { change: Change }) {
  const t = useT('countries')
  const explained = kind === 'missing' && isOver ? undefined : EXPLAINED[kind]
  if (!DIFFERENCES.has(kind))
    return (
      <>
        <bdi lang={language}>{t('quote', { text: wording })}</bdi>
        {explained && <> {t(explained)}</>}
      </>
    )
  if (detail.kind !== 'fields')
    return t(`changed_${detail.kind}`, { before: isolated(detail.before), after: isolated(detail.after) })
  const named = new Set(detail.fields.map((field) => t(FIELDS[field] ?? 'changed_field_other')))
  return t('changed_fields', { fields: [...named].join(t('comma')) })
}
