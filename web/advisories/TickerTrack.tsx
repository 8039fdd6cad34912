import { type FocusEvent, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { TickerItem } from '#shared/advisories/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './NewsTicker.module.css'
import { SeverityTag } from './SeverityTag.tsx'

interface Props {
  items: readonly TickerItem[]
  isMoving: boolean
  isPaused: boolean
}

/**
 * The items in a row. While it moves, a second row (hidden from screen readers) follows so that it loops seamlessly.
 */
export function TickerTrack({ items, isMoving, isPaused }: Props) {
  // Rendered once the page is idle: it doubles the work and shows nothing new.
  const [hasDuplicate, setDuplicate] = useState(false)
  useEffect(() => {
    if (!isMoving) return
    const timer = setTimeout(() => setDuplicate(true), 1_000)
    return () => clearTimeout(timer)
  }, [isMoving])
  const runs = isMoving && hasDuplicate
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: focus scrolls an item into view; undone on blur
    <div className={styles.window} onBlur={({ currentTarget }: FocusEvent) => currentTarget.scrollTo(0, 0)}>
      <div className={classes(styles.track, runs && styles.runs, isPaused && styles.paused)}>
        <Row items={items} />
        {runs && <Row items={items} isDuplicate />}
      </div>
    </div>
  )
}

function Row({ items, isDuplicate = false }: { items: readonly TickerItem[]; isDuplicate?: boolean }) {
  return (
    <ul className={styles.row} aria-hidden={isDuplicate || undefined} inert={isDuplicate}>
      {items.map((item) => (
        <li key={item.id}>
          <SeverityTag severity={item.severity_level} isPulsing={false} />
          <ItemLink item={item} />
        </li>
      ))}
    </ul>
  )
}

function ItemLink({ item: { id, text, language, confirmed } }: { item: TickerItem }) {
  const t = useT('common')
  return (
    <Link to={`/travel-advisories?highlight=${id}`} className={classes(styles.item, !confirmed && styles.doubtful)}>
      <bdi lang={language}>{text}</bdi>
      {!confirmed && <span className="visually-hidden"> ({t('not_confirmed')})</span>}
    </Link>
  )
}
