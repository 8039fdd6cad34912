import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { markedIn, type ResultRow, rowOf } from './result-row.ts'
import styles from './SuggestionList.module.css'
import type { Suggestions } from './useSuggestions.ts'

interface Props {
  listId: string
  found: Suggestions
  active: number
  choose: (index: number) => void
}

const ICONS: Record<ResultRow['kind'], IconName> = { country: 'globe', city: 'pin', church: 'church' }

/** Countries, cities and churches in one list, each with its kind and its level or next service. */
export function SuggestionList({ listId, found, active, choose }: Props) {
  const t = useT('search')
  const language = useLanguage()
  const rows = found.results.map((result) => rowOf(result, t, language))
  return (
    <div className={styles.list}>
      {rows.length === 0 && <p className={styles.none}>{t('none')}</p>}
      <div id={listId} role="listbox" aria-label={t('suggestions_label')}>
        {rows.map((row, index) => (
          <Option key={row.key} {...{ listId, index, active, choose }}>
            <Icon name={ICONS[row.kind]} />
            <span className={styles.main}>
              <Name row={row} search={found.search} isGuess={found.isGuess} />
              <span className={styles.text}>{row.text}</span>
            </span>
            {row.level && <SeverityTag severity={row.level} isPulsing={false} />}
          </Option>
        ))}
        <Option {...{ listId, index: rows.length, active, choose }}>
          <Icon name="search" />
          <b className={styles.main}>{t('everything', { search: found.search })}</b>
        </Option>
      </div>
    </div>
  )
}

function Name({ row: { name, place }, search, isGuess }: { row: ResultRow; search: string; isGuess: boolean }) {
  const t = useT('search')
  const [before, match, after] = markedIn(name, search)
  return (
    <span>
      {isGuess && `${t('did_you_mean')} `}
      <bdi>
        {before}
        {match && <mark>{match}</mark>}
        {after}
      </bdi>
      {place && `${t('comma')}${place}`}
      {isGuess && t('question_mark')}
    </span>
  )
}

interface OptionProps extends Pick<Props, 'listId' | 'active' | 'choose'> {
  index: number
  children: React.ReactNode
}

function Option({ listId, index, active, choose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field, which keeps the focus
    <div
      id={`${listId}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={index === active}
      className={styles.option}
      // Runs before the field loses the focus, and with it the list.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => choose(index)}
    >
      {children}
    </div>
  )
}
