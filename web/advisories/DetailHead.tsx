import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Time } from '#web/ui/Time.tsx'
import styles from './DetailHead.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { Freshness } from './Freshness.tsx'
import { lookOf } from './head-look.ts'
import { SeverityTag } from './SeverityTag.tsx'

interface Props {
  detail: AdvisoryDetailData
  heading: 'h1' | 'h2'
  titleId?: string
  /** Buttons beside the level. */
  children?: ReactNode
}

/** Level, title, source and its wording, and freshness; filled for the two most serious levels, grey once over. */
export function DetailHead({ detail, heading: Heading, titleId, children }: Props) {
  const t = useT('advisory')
  const { advisory, source } = detail
  return (
    <header className={classes(styles.head, styles[lookOf(advisory)])}>
      <div className={styles.tags}>
        {advisory.is_active ? (
          <SeverityTag severity={advisory.severity_level} isPulsing={advisory.is_urgent} />
        ) : (
          <b>{t('status_inactive')}</b>
        )}
        {advisory.is_active && advisory.is_urgent && (
          <b className={styles.urgent}>{t(advisory.urgent_by_portal ? 'urgent_by_portal' : 'urgent')}</b>
        )}
        {children}
      </div>
      <Heading id={titleId} lang={detail.title_language} dir="auto">
        {detail.title}
      </Heading>
      <div className={styles.byline}>
        <b dir="auto">{advisory.source_organization}</b>
        <bdi lang={advisory.language}>{t('quote', { text: advisory.original_wording })}</bdi>
        {source && (
          <Freshness source={source} changed={{ at: advisory.last_updated, precision: advisory.date_precision }} />
        )}
      </div>
      {!advisory.is_active && <Ended at={detail.ended_at} />}
    </header>
  )
}

function Ended({ at }: { at: string | null }) {
  const t = useT('advisory')
  return (
    <p className={styles.ended}>
      {at && (
        <>
          {t('ended_on')} <Time value={at} look="day" />.{' '}
        </>
      )}
      {t('for_the_record')}
    </p>
  )
}
