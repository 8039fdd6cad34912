import type { ReactNode } from 'react'
import styles from './Board.module.css'

/** Things of one kind on one surface, divided by hairlines; its children are rows. */
export function Board({ children, label }: { children: ReactNode; label?: string }) {
  return (
    // A list without markers is no list to some readers unless it says so.
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <ul className={styles.board} role="list" aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  /** Column at the start, usually a tag; above the text at 360. */
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
