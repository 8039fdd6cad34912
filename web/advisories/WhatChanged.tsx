import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Detail.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { SeverityTag } from './SeverityTag.tsx'
import type { SectionHeading } from './section-heading.ts'

type Version = AdvisoryDetailData['versions'][number]

/** The previous version, muted, and the current one, emphasised. Nothing if only one version was seen. */
export function WhatChanged({ detail, heading: Heading }: { detail: AdvisoryDetailData; heading: SectionHeading }) {
  const t = useT('advisory')
  const [now, before] = detail.versions
  if (!now || !before) return null
  const steps = SEVERITY_RANK[now.severity_level] - SEVERITY_RANK[before.severity_level]
  const sentence =
    steps === 0 ? t('text_changed') : t(steps > 0 ? 'level_raised' : 'level_lowered', { count: Math.abs(steps) })
  return (
    <section className={styles.changed}>
      <Heading>{t('what_changed')}</Heading>
      <div className={styles.beforeNow}>
        <Side
          version={before}
          label={t('before_label')}
          language={detail.advisory.language}
          className={styles.before}
        />
        <Icon name="arrow" className={styles.arrow} />
        <Side version={now} label={t('now_label')} language={detail.advisory.language} className={styles.now} />
      </div>
      <p className={styles.original}>
        {sentence} <a href="#versions">{t('compare')}</a>
      </p>
    </section>
  )
}

function Side({
  version,
  label,
  language,
  className,
}: {
  version: Version
  label: string
  language: string
  className: string | undefined
}) {
  const t = useT('advisory')
  return (
    <div className={className}>
      <p>
        {label} <Time value={version.last_updated} precision={version.date_precision} look="day" />
      </p>
      <SeverityTag severity={version.severity_level} isPulsing={false} />
      <p>
        <bdi lang={language}>{t('quote', { text: version.original_wording })}</bdi>
      </p>
    </div>
  )
}
