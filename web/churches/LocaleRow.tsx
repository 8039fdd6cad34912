import { classes } from '#web/ui/classes.ts'
import styles from './LocaleCard.module.css'
import { LocaleCard } from './LocaleCard.tsx'
import type { Row } from './row.server.ts'

interface Props {
  row: Row
  /** Same number as on the map. */
  number: number
  zone: string | null
  isActive: boolean
  onActive: (id: string | null) => void
}

/** A church in the list, highlighted together with its marker on the map. */
export function LocaleRow({ row, number, zone, isActive, onActive }: Props) {
  return (
    <li
      id={`church-${row.id}`}
      className={classes(styles.row, row.mode !== 'exact' && styles.discreet, isActive && styles.active)}
      onPointerEnter={() => onActive(row.id)}
      onPointerLeave={() => onActive(null)}
      onFocus={() => onActive(row.id)}
      onBlur={() => onActive(null)}
    >
      <LocaleCard row={row} number={number} zone={zone} />
    </li>
  )
}
