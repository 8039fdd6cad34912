import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './Page.module.css'

/** Page column with margins; 'text' for long reading, 'form' for a form alone. */
export function Page({
  width = 'page',
  children,
  className,
}: {
  width?: 'page' | 'text' | 'form'
  children: ReactNode
  className?: string | undefined
}) {
  return (
    <div className={classes(styles.page, className)}>
      {width === 'page' ? children : <div className={styles[width]}>{children}</div>}
    </div>
  )
}

interface SectionProps {
  /** Id of the heading, which labels the section. */
  id: string
  title: ReactNode
  hint?: ReactNode
  end?: ReactNode
  children: ReactNode
}

/** A section of a page: heading, actions at the end of its line, and a hint below. */
export function Section({ id, title, hint, end, children }: SectionProps) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {end && <div className={styles.end}>{end}</div>}
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      {children}
    </section>
  )
}
