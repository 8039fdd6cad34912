import type { ComponentProps, ReactNode } from 'react'
import styles from './Fold.module.css'

interface Props extends ComponentProps<'details'> {
  summary: ReactNode
  /** Says more than the summary to those who hear it. */
  summaryLabel?: string | undefined
  /** A box with an arrow, or a line of text that looks like a link. */
  look?: 'box' | 'link'
}

/** Something to be done that is not always needed: folded away below the words that say what it is. */
export function Fold({ summary, summaryLabel, look = 'box', children, ...rest }: Props) {
  return (
    <details {...rest} className={styles[look]}>
      <summary aria-label={summaryLabel}>{summary}</summary>
      {children}
    </details>
  )
}
