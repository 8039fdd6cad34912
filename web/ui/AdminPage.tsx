import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './AdminPage.module.css'
import { Icon } from './Icon.tsx'

interface Props {
  title: ReactNode
  /** Buttons, or the time, at the end of the title line. */
  end?: ReactNode
  children: ReactNode
}

/** A page of the admin area: its title with actions, and the content. */
export function AdminPage({ title, end, children }: Props) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{title}</h1>
        {end && <div className={styles.end}>{end}</div>}
      </div>
      {children}
    </div>
  )
}

/** Link below the title to the page above, by its name: the only pattern for going back in the admin area. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className={styles.back}>
      <Link to={to}>
        <Icon name="chevron" className={styles.backSign} />
        {children}
      </Link>
    </p>
  )
}

/** Space below a note above the content. */
export const PageNotice = ({ children }: { children: ReactNode }) => <div className={styles.notice}>{children}</div>

/** A section of such a page on its own panel, with its heading on the first line. */
export function AdminPanel({ id, title, end, children }: Props & { id: string }) {
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.panelHead}>
        <h2 id={id}>{title}</h2>
        {end}
      </div>
      {children}
    </section>
  )
}
