import type { AdvisoryVersion } from '#shared/advisories/endpoints.ts'
import { changeKind } from '#shared/advisories/timeline.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { SeverityTag } from './SeverityTag.tsx'
import type { SectionHeading } from './section-heading.ts'
import { VersionHistory } from './VersionHistory.tsx'
import styles from './WhatChanged.module.css'

/** The rest is in the list of all versions. */
const SHOWN = 4

const LOOKS = {
  raised: { icon: 'top', label: 'change_raised' },
  lowered: { icon: 'down', label: 'change_lowered' },
  text: { icon: 'pencil', label: 'text_changed' },
  urgency: { icon: 'pencil', label: 'urgency_changed' },
  date: { icon: 'pencil', label: 'date_changed' },
  first: { icon: 'plus', label: 'version_first' },
} as const

/** The latest changes, newest first, and all versions below. */
export function WhatChanged({ detail, heading: Heading }: { detail: AdvisoryDetailData; heading: SectionHeading }) {
  const t = useT('advisory')
  const { versions, advisory } = detail
  // Not yet stored.
  if (versions.length === 0) return null
  return (
    <section>
      <Heading>{t('what_changed')}</Heading>
      <div className={styles.box}>
        {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
        <ol className={styles.timeline} role="list">
          {versions.slice(0, SHOWN).map((version, i) => (
            <Event key={version.version} version={version} before={versions[i + 1]} language={advisory.language} />
          ))}
        </ol>
        <VersionHistory detail={detail} />
      </div>
    </section>
  )
}

interface EventProps {
  version: AdvisoryVersion
  before: AdvisoryVersion | undefined
  language: string
}

function Event({ version, before, language }: EventProps) {
  const t = useT('advisory')
  const { icon, label } = LOOKS[before ? changeKind(version.changes) : 'first']
  const isLevel = before && before.severity_level !== version.severity_level
  return (
    <li>
      <span className={styles.dot}>
        <Icon name={icon} />
      </span>
      <div>
        {isLevel && (
          <span className={styles.tags}>
            <SeverityTag severity={before.severity_level} isPulsing={false} /> <Icon name="arrow" />{' '}
            <SeverityTag severity={version.severity_level} isPulsing={false} />
          </span>
        )}
        <p>
          <b>{t(label)}</b> <bdi lang={language}>{t('quote', { text: version.original_wording })}</bdi>
        </p>
      </div>
      <Time value={version.last_updated} precision={version.date_precision} look="day" />
    </li>
  )
}
