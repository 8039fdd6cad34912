import { memo } from 'react'
import { type AdvisoryCardData, chipText } from '#shared/advisories/cards.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './AdvisoryCard.module.css'
import { PendingLevel } from './PendingLevel.tsx'
import { SeverityTag } from './SeverityTag.tsx'

interface Props {
  card: AdvisoryCardData
  updated: string
  sourceName: string
  freshness: string
  /** The source is currently confirmed; otherwise the footer is dashed. */
  isKnown: boolean
}

/** The whole card is clickable and has one link, for the keyboard. No handlers here: the grid has them. */
export const AdvisoryCard = memo(function AdvisoryCard({ card, updated, sourceName, freshness, isKnown }: Props) {
  const t = useT('advisories')
  const isEmergency = card.severity_level === 'emergency'
  const hidden = card.country_count - card.countries.length
  return (
    <li className={classes(styles.card, isEmergency && styles.emergency)} data-advisory={card.id}>
      <div className={styles.head}>
        <SeverityTag severity={card.severity_level} />
        <time dateTime={card.date_precision === 'day' ? card.last_updated.slice(0, 10) : card.last_updated}>
          {updated}
        </time>
      </div>
      <div className={styles.body}>
        <h3 className={styles.title} lang={card.title_language} dir="auto">
          {card.title}
        </h3>
        <PendingLevel reason={card.pending_reason} />
        {card.description && (
          <p className={styles.text} lang={card.language} dir="auto">
            {card.description}
          </p>
        )}
        <p className={styles.source}>
          <bdi>{sourceName}</bdi>: <bdi lang={card.language}>{t('quote', { text: card.wording })}</bdi>
        </p>
        <p className={styles.countries}>
          {card.country_count === 0 && t('all_countries')}
          {card.country_count > 0 && t('countries_count', { n: card.country_count })}
          {card.countries.map((name) => (
            <span key={name} className={styles.chip} title={name}>
              {chipText(name)}
            </span>
          ))}
          {hidden > 0 && <span className={styles.chip}>{t('more_countries', { n: hidden })}</span>}
        </p>
      </div>
      <div className={classes(styles.foot, !isKnown && styles.unknown)}>
        <span className={styles.freshness}>{freshness}</span>
        <a href={`/travel-advisories/${card.id}`} className={styles.open}>
          {t('view_details')}
          <span className="visually-hidden">: {card.title}</span>
        </a>
      </div>
    </li>
  )
})
