import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './Tabs.module.css'

interface Tab {
  key: string
  label: ReactNode
  to: string
  isCurrent: boolean
}

/** Tabs of one list, each with its own URL. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ key, label, to, isCurrent }) => (
        <Link key={key} to={to} aria-current={isCurrent ? 'page' : undefined} preventScrollReset>
          {label}
        </Link>
      ))}
    </nav>
  )
}
