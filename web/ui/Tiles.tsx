import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { classes } from './classes.ts'
import { Skeleton } from './Skeleton.tsx'
import styles from './Tiles.module.css'

interface Tile {
  key: string
  label: ReactNode
  /** Already formatted; undefined while loading. */
  value?: ReactNode
  /** The filtered list behind the number. */
  to?: string
  isChosen?: boolean
}

/** Numbers on one surface, each linking to what it counts. */
export function Tiles({ tiles, label }: { tiles: Tile[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
    <ul className={styles.tiles} role="list" aria-label={label}>
      {tiles.map((tile) => (
        <li key={tile.key} className={classes(styles.tile, tile.isChosen && styles.chosen)}>
          {tile.to ? (
            <Link to={tile.to} className={styles.content} aria-current={tile.isChosen || undefined} preventScrollReset>
              <Content value={tile.value} label={tile.label} />
            </Link>
          ) : (
            <div className={styles.content}>
              <Content value={tile.value} label={tile.label} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function Content({ value, label }: Pick<Tile, 'value' | 'label'>) {
  return (
    <>
      <span className={styles.value}>{value ?? <Skeleton width="2ch" />}</span>
      <span className={styles.label}>{label}</span>
    </>
  )
}
