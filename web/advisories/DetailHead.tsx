import { useT } from '#web/lib/i18n.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Detail.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { Freshness } from './Freshness.tsx'
import { SeverityTag } from './SeverityTag.tsx'
import { typeText } from './status-text.ts'

interface Props {
  detail: AdvisoryDetailData
  heading: 'h1' | 'h2'
  titleId?: string
}

/** Level, kind, title, source and freshness. */
export function DetailHead({ detail, heading: Heading, titleId }: Props) {
  const t = useT('advisory')
  const { advisory, source } = detail
  return (
    <>
      <div className={styles.tags}>
        <SeverityTag severity={advisory.severity_level} isPulsing={advisory.is_urgent} />
        {advisory.is_urgent && (
          <b className={styles.urgent}>{t(advisory.urgent_by_portal ? 'urgent_by_portal' : 'urgent')}</b>
        )}
        <Chip>{typeText(t, advisory.advisory_type)}</Chip>
        {advisory.auto_notify && (
          <Chip>
            <Icon name="bell" /> {t('auto_notify')}
          </Chip>
        )}
      </div>
      <Heading id={titleId} lang={detail.title_language} dir="auto">
        {detail.title}
      </Heading>
      <div className={styles.byline}>
        <b dir="auto">{advisory.source_organization}</b>
        {source && (
          <Freshness source={source} changed={{ at: advisory.last_updated, precision: advisory.date_precision }} />
        )}
      </div>
    </>
  )
}
