import { Link } from 'react-router'
import type { AdvisoryCardData } from '#shared/advisories/cards.ts'
import { firstSentence } from '#shared/advisories/ticker.ts'
import { useT } from '../lib/i18n.tsx'
import { BoardRow } from '../ui/Board.tsx'
import { Time } from '../ui/Time.tsx'
import { SeverityTag } from './SeverityTag.tsx'

interface Props {
  advisory: AdvisoryCardData
  /** Short name of the source, as the registry has it. */
  sourceName: string
}

/** An advisory in a list read at a glance: level, title, one sentence, who and when. Stands in a Board. */
export function AdvisoryRow({ advisory, sourceName }: Props) {
  const t = useT('advisories')
  const { id, title, title_language, description, language, wording, last_updated, date_precision } = advisory
  const sentence = firstSentence(description)
  // A description that only repeats the wording would say it twice.
  const isEcho = sentence.replace(/\W+$/, '').toLowerCase() === wording.toLowerCase()
  return (
    <BoardRow
      tag={<SeverityTag severity={advisory.severity_level} />}
      title={
        <Link to={`/travel-advisories/${id}`} lang={title_language} dir="auto">
          {title}
        </Link>
      }
      end={
        <>
          <bdi>{sourceName}</bdi> · <Time value={last_updated} precision={date_precision} look="day" />
        </>
      }
    >
      {!isEcho && (
        <span lang={language} dir="auto">
          {sentence}{' '}
        </span>
      )}
      <bdi lang={language}>{t('quote', { text: wording })}</bdi>
    </BoardRow>
  )
}
