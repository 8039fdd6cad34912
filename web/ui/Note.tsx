import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import styles from './Note.module.css'

const ICONS = { plain: 'info', error: 'critical', success: 'check', unknown: 'unknown' } as const

interface Props {
  kind?: keyof typeof ICONS
  /** The bold first sentence. */
  title: ReactNode
  children?: ReactNode
  /** Buttons below the text. */
  action?: ReactNode
  icon?: IconName
  /** Heading level if the note is a section of its own, such as an empty list. */
  heading?: 'h2' | 'h3'
  /** Announced to screen readers when it appears after an action. */
  isLive?: boolean
}

export function Note({ kind = 'plain', title, children, action, icon = ICONS[kind], heading, isLive }: Props) {
  const Title = heading ?? 'p'
  return (
    <div
      className={classes(styles.note, styles[kind])}
      role={isLive ? (kind === 'error' ? 'alert' : 'status') : undefined}
    >
      <Icon name={icon} className={styles.icon} />
      <div className={styles.body}>
        <Title className={styles.title}>{title}</Title>
        {children && <div className={styles.text}>{children}</div>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </div>
  )
}
