import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './Chip.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'

/** A name in a line of names; a link if `to` is set. */
export function Chip({ to, children, title }: { to?: string; children: ReactNode; title?: string }) {
  return to ? (
    <Link className={classes(styles.chip, styles.linked)} to={to} title={title}>
      {children}
    </Link>
  ) : (
    <span className={styles.chip} title={title}>
      {children}
    </span>
  )
}

/** An active filter. A link to the page without it, so it can be removed without scripts as well. */
export function RemovableChip({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <Link className={classes(styles.chip, styles.active)} to={to} aria-label={label} preventScrollReset>
      {children}
      <Icon name="close" />
    </Link>
  )
}

/** A dashed tag marks something unconfirmed: not confirmed, captured, sample. */
export function UnknownTag({ icon, children }: { icon?: IconName; children: ReactNode }) {
  return (
    <span className={classes(styles.tag, styles.unknown)}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}

/** A short fact set apart, such as an error id. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>
}
