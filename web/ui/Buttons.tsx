import type { ReactNode } from 'react'
import styles from './Buttons.module.css'
import { classes } from './classes.ts'

/** What can be done, side by side. `isFoot`: of a long form, always in sight below it. */
export function Buttons({ isFoot, children }: { isFoot?: boolean; children: ReactNode }) {
  return <div className={classes(styles.buttons, isFoot && styles.foot)}>{children}</div>
}
