import type { CSSProperties } from 'react'
import styles from './Skeleton.module.css'

/** A place held for text that is on its way, of the size it will have; words for readers stand beside it. */
export function Skeleton({
  width = '100%',
  height = '1em',
}: {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
}) {
  return <span className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />
}
