import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import styles from './Surface.module.css'

/** Background panel. `isCard` for something that opens: only that has a shadow. */
export function Surface({
  className,
  isCard,
  isUnknown,
  ...rest
}: ComponentProps<'div'> & { isCard?: boolean; isUnknown?: boolean }) {
  return (
    <div {...rest} className={classes(styles.surface, isCard && styles.card, isUnknown && styles.unknown, className)} />
  )
}
