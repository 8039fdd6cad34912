import type { ComponentProps, ReactNode } from 'react'
import styles from './Fold.module.css'

interface Props extends ComponentProps<'details'> {
  summary: ReactNode
  /** A more specific label for screen readers. */
  summaryLabel?: string | undefined
  /** A box with an arrow, or a line of text that looks like a link. */
  look?: 'box' | 'link'
}

/** An optional action, collapsed below its summary. */
export function Fold({ summary, summaryLabel, look = 'box', children, ...rest }: Props) {
  return (
    <details {...rest} className={styles[look]}>
      <summary aria-label={summaryLabel}>{summary}</summary>
      {children}
    </details>
  )
}
