import { Link } from 'react-router'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { Board, BoardRow } from '#web/ui/Board.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Section } from '#web/ui/Page.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Landing } from './landing.ts'

export function LatestAdvisories({ rows, isAnythingRead }: Pick<Landing, 'rows'> & { isAnythingRead: boolean }) {
  const t = useT('countries')
  const all = <Link to="/travel-advisories">{t('latest_all')}</Link>
  return (
    <Section id="latest" title={t('latest')} hint={t('latest_order')} end={all}>
      {rows.length === 0 ? (
        <Note kind="unknown" heading="h3" title={t(isAnythingRead ? 'latest_none' : 'nothing_read')}>
          <p>{t(isAnythingRead ? 'latest_none_text' : 'nothing_read_text')}</p>
          <p>
            <Link to="/travel-advisories/sources">{t('sources_all')}</Link>
          </p>
        </Note>
      ) : (
        <Board>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </Board>
      )}
    </Section>
  )
}

function Row({ row }: { row: Landing['rows'][number] }) {
  const t = useT('advisories')
  return (
    <BoardRow
      tag={<SeverityTag severity={row.severity_level} />}
      title={
        <Link to={`/countries/${row.code}`}>
          <bdi>{row.country}</bdi>
        </Link>
      }
      end={
        <>
          <bdi>{row.source}</bdi> · <Time value={row.last_updated} precision={row.date_precision} look="day" />
        </>
      }
    >
      {row.sentence && (
        <span lang={row.sentence_language} dir="auto">
          {row.sentence}{' '}
        </span>
      )}
      {row.wording && <bdi lang={row.language}>{t('quote', { text: row.wording })}</bdi>}
    </BoardRow>
  )
}
