import type { ReactNode } from 'react'
import styles from './Buttons.module.css'
import { classes } from './classes.ts'

/** Actions side by side. `isFoot`: sticky below a long form. */
export function Buttons({ isFoot, children }: { isFoot?: boolean; children: ReactNode }) {
  return <div className={classes(styles.buttons, isFoot && styles.foot)}>{children}</div>
}
