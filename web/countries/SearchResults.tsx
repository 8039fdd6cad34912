import { Link } from 'react-router'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Board, BoardRow } from '#web/ui/Board.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Section } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import type { ResultRow } from './result-row.ts'
import styles from './SearchResults.module.css'

interface Props {
  search: string
  rows: readonly ResultRow[]
  /** They are only similar to the search. */
  isGuess: boolean
  churchesTotal: number
}

/** Results by kind; what is only similar is asked about. */
export function SearchResults({ search, rows, isGuess, churchesTotal }: Props) {
  const t = useT('search')
  const language = useLanguage()
  if (rows.length === 0 || isGuess) return <NoMatch rows={rows} />
  const of = (kind: ResultRow['kind']) => rows.filter((row) => row.kind === kind)
  const churches = of('church')
  const isMore = churchesTotal > churches.length
  return (
    <>
      <Kind id="countries" title={t('countries')} rows={of('country')} />
      <Kind id="cities" title={t('cities')} hint={t('cities_text')} rows={of('city')} />
      <Kind id="churches" title={t('churches')} rows={churches} />
      {isMore && (
        <p>
          <Link to={`/church-locator?${new URLSearchParams({ search })}`} className={styles.more}>
            {t('churches_all', { number: formatNumber(language, churchesTotal) })}
          </Link>
        </p>
      )}
    </>
  )
}

function Kind({ id, title, hint, rows }: { id: string; title: string; hint?: string; rows: readonly ResultRow[] }) {
  if (rows.length === 0) return null
  return (
    <Section id={id} title={title} {...(hint ? { hint } : {})}>
      <Board>
        {rows.map((row) => (
          <BoardRow
            key={row.key}
            title={<Title row={row} />}
            end={row.level && <SeverityTag severity={row.level} isPulsing={false} />}
          >
            {row.kind === 'church' && row.text}
          </BoardRow>
        ))}
      </Board>
    </Section>
  )
}

function Title({ row: { to, name, place } }: { row: ResultRow }) {
  const t = useT('search')
  return (
    <Link to={to}>
      <bdi>{name}</bdi>
      {place && `${t('comma')}${place}`}
    </Link>
  )
}

function NoMatch({ rows }: { rows: readonly ResultRow[] }) {
  const t = useT('search')
  return (
    <Surface>
      <h2 className={styles.none}>{t('none')}</h2>
      {rows.length > 0 && (
        <ul className={styles.guesses}>
          {rows.map((row) => (
            <li key={row.key}>
              {t('did_you_mean')} <Title row={row} />
              {t('question_mark')} <span className={styles.kind}>{t(`kind_${row.kind}`)}</span>
            </li>
          ))}
        </ul>
      )}
      <p>
        {t('none_text')} {t('none_contact')}
      </p>
      <div className={styles.actions}>
        <ButtonLink to="/support" look="primary" isSmall>
          {t('ask_coordinator')}
        </ButtonLink>
        <ButtonLink to="/church-locator" isSmall>
          {t('find_church')}
        </ButtonLink>
        <ButtonLink to="/countries" isSmall>
          {t('all_countries')}
        </ButtonLink>
      </div>
    </Surface>
  )
}
