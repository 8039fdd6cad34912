import { Link } from 'react-router'
import type { Citation } from '#shared/assistant/answer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import { isOutside, safeLink } from './links.ts'
import styles from './Sources.module.css'

interface Props {
  /** Id of the answer: its citations link here. */
  id: string
  citations: readonly Citation[]
}

export const sourceId = (answerId: string, n: number) => `${answerId}-source-${n}`

/** Sources of an answer: title, publisher, when it changed and when it was last confirmed. */
export function Sources({ id, citations }: Props) {
  const t = useT('assistant')
  if (citations.length === 0) return null
  return (
    <section className={styles.sources} aria-labelledby={`${id}-sources`}>
      <h3 id={`${id}-sources`} className={styles.heading}>
        {t('sources')}
      </h3>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ol className={styles.list} role="list">
        {citations.map((citation) => (
          <Source key={citation.n} id={sourceId(id, citation.n)} citation={citation} />
        ))}
      </ol>
    </section>
  )
}

function Source({ id, citation }: { id: string; citation: Citation }) {
  const t = useT('assistant')
  const { n, title, source, checked_on, changed_on, is_expired } = citation
  return (
    <li id={id} tabIndex={-1} className={is_expired ? `${styles.source} ${styles.expired}` : styles.source}>
      <span className={styles.number} aria-hidden="true">
        {n}
      </span>
      <span className={styles.title}>
        <span className="visually-hidden">{t('source_number', { n })} </span>
        <Titled title={title} url={citation.url} />
      </span>
      <span className={styles.says}>
        {source && source !== title && <bdi>{source}</bdi>}
        {changed_on && (
          <span className={styles.checked}>
            {t('source_changed')} <Time value={changed_on} look="day" precision="day" />
          </span>
        )}
        {checked_on && (
          <span className={styles.checked}>
            {t(is_expired ? 'source_last_confirmed' : 'source_checked')}{' '}
            <Time value={checked_on} look="day" precision="day" />
          </span>
        )}
        {is_expired && <UnknownTag icon="unknown">{t('source_expired')}</UnknownTag>}
      </span>
    </li>
  )
}

function Titled({ title, url }: { title: string; url: string | null }) {
  const t = useT('assistant')
  const address = safeLink(url)
  if (!address) return <bdi>{title}</bdi>
  if (!isOutside(address))
    return (
      <Link to={address}>
        <bdi>{title}</bdi>
      </Link>
    )
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      <bdi>{title}</bdi> <Icon name="external" />
      <span className="visually-hidden">{t('new_tab')}</span>
    </a>
  )
}
