import type { ReactNode } from 'react'
import styles from './Board.module.css'

/** A list of similar items on one surface, divided by hairlines; its children are rows. */
export function Board({ children, label }: { children: ReactNode; label?: string }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
    <ul className={styles.board} role="list" aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  /** Column at the start, usually a tag; above the text at 360 px. */
  tag?: ReactNode
  /** The bold link. */
  title: ReactNode
  /** One sentence. */
  children?: ReactNode
  /** Source and date at the end. */
  end?: ReactNode
}

export function BoardRow({ tag, title, children, end }: RowProps) {
  return (
    <li className={styles.row}>
      {tag !== undefined && <div className={styles.tag}>{tag}</div>}
      <div className={styles.main}>
        <div className={styles.title}>{title}</div>
        {children && <div className={styles.text}>{children}</div>}
      </div>
      {end && <div className={styles.end}>{end}</div>}
    </li>
  )
}
