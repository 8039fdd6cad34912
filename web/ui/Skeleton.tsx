import type { CSSProperties } from 'react'
import styles from './Skeleton.module.css'

/** Placeholder for loading text, of the same size; accompanied by text for screen readers. */
export function Skeleton({
  width = '100%',
  height = '1em',
}: {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
}) {
  return <span className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />
}
