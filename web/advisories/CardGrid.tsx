import type { KeyboardEvent, MouseEvent } from 'react'
import type { AdvisoryCardData } from '#shared/advisories/cards.ts'
import { sourceForAdvisory } from '#shared/advisories/freshness.ts'
import { useNow, useZone } from '#web/lib/clock.ts'
import { formatMoment, formatRelative } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import styles from './AdvisoryCard.module.css'
import { AdvisoryCard } from './AdvisoryCard.tsx'
import { updatedText } from './card-texts.ts'
import { doubtText, isVouchedFor } from './freshness-text.ts'
import type { ListedSource } from './list.server.ts'

interface Props {
  cards: readonly AdvisoryCardData[]
  sources: readonly ListedSource[]
  onSelect: (card: AdvisoryCardData) => void
}

/**
 * The cards. One handler for all and times formatted once per source: fifty self-contained cards make the list slow on
 * a cheap phone.
 */
export function CardGrid({ cards, sources, onSelect }: Props) {
  const t = useT('advisories')
  const language = useLanguage()
  const zone = useZone()
  const now = useNow()
  const known = new Map(
    sources.map((source) => [
      source.id,
      { source, name: source.name, isKnown: isVouchedFor(source), freshness: freshnessOf(source) },
    ]),
  )
  const shownOf = (card: AdvisoryCardData) => {
    const own = known.get(card.source_id)
    const source = own && sourceForAdvisory(own.source, card)
    // Only a copy whose source was confirmed since has its own freshness.
    return source && source !== own.source
      ? { ...own, isKnown: false, freshness: freshnessOf(source) }
      : (own ?? { name: '', isKnown: false, freshness: '' })
  }

  function freshnessOf(source: ListedSource): string {
    const doubt = doubtText(t, language, zone, source, now)
    if (doubt)
      return source.state === 'captured'
        ? t('captured_short', { day: updatedText(language, zone, now, source.captured_on ?? '', 'day') })
        : doubt
    if (source.state === 'manual' || !source.last_success_at) return t('written_manually')
    const when =
      now === null
        ? formatMoment(language, source.last_success_at, zone)
        : formatRelative(language, source.last_success_at, now)
    return `${t('checked_label')} ${when}`
  }

  function select(event: MouseEvent | KeyboardEvent) {
    const item = (event.target as Element).closest<HTMLElement>('[data-advisory]')
    const card = cards.find(({ id }) => id === item?.dataset.advisory)
    if (!item || !card) return
    event.preventDefault()
    // The dialog restores focus to this element when it closes.
    item.querySelector('a')?.focus({ preventScroll: true })
    onSelect(card)
  }

  return (
    <ul
      // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
      role="list"
      className={styles.grid}
      onClick={(event) => isPlainClick(event) && select(event)}
      onKeyDown={(event) => event.key === ' ' && select(event)}
    >
      {cards.map((card) => (
        <AdvisoryCard
          key={card.id}
          card={card}
          updated={updatedText(language, zone, now, card.last_updated, card.date_precision)}
          sourceName={shownOf(card).name}
          freshness={shownOf(card).freshness}
          isKnown={shownOf(card).isKnown}
        />
      ))}
    </ul>
  )
}

/**
 * With a modifier key or another button the link handles the click (new tab or window). Selecting text must not open
 * anything.
 */
const isPlainClick = (event: MouseEvent) =>
  event.button === 0 &&
  !event.metaKey &&
  !event.ctrlKey &&
  !event.shiftKey &&
  !event.altKey &&
  getSelection()?.isCollapsed !== false
