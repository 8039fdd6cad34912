import { Link } from 'react-router'
import { SeverityTag } from '../advisories/SeverityTag.tsx'
import { isolated } from '../lib/format.ts'
import { type Key, useT } from '../lib/i18n.tsx'
import { Board, BoardRow } from '../ui/Board.tsx'
import { Time } from '../ui/Time.tsx'
import type { Change } from './countryPage.ts'

/** The latest changes of all sources together; the page of each notice has them one by one. */
export function WhatChanged({ changes }: { changes: readonly Change[] }) {
  const t = useT('countries')
  if (changes.length === 0) return <p>{t('changed_none')}</p>
  return (
    <Board>
      {changes.map((change) => (
        <BoardRow
          key={change.key}
          tag={<SeverityTag severity={change.severity_level} isPulsing={false} />}
          title={
            <Link to={`/travel-advisories/${change.advisory_id}`}>
              <bdi>{change.source}</bdi>
            </Link>
          }
          end={<Time value={change.at} precision={change.precision} look="day" />}
        >
          <ChangeSentence change={change} />
        </BoardRow>
      ))}
    </Board>
  )
}

const FIELDS: Record<string, Key<'countries'>> = {
  description: 'changed_field_description',
  detailed_information: 'changed_field_detailed_information',
  recommendations: 'changed_field_recommendations',
  affected_countries: 'changed_field_affected_countries',
  affected_regions: 'changed_field_affected_regions',
  affected_cities: 'changed_field_affected_cities',
  expiry_date: 'changed_field_expiry_date',
  effective_date: 'changed_field_effective_date',
}

/** What one change was, in the source's own words where it has words for it. */
export function ChangeSentence({ change: { kind, before, after, fields } }: { change: Change }) {
  const t = useT('countries')
  if (kind !== 'fields') return t(`changed_${kind}`, { before: isolated(before), after: isolated(after) })
  const named = new Set(fields.map((field) => t(FIELDS[field] ?? 'changed_field_other')))
  return t('changed_fields', { fields: [...named].join(t('comma')) })
}
