import styles from './AuthCard.module.css'

/** An email address or a number, as long as it may be. */
export function Address({ children }: { children: string }) {
  return (
    <bdi dir="ltr" className={styles.address}>
      {children}
    </bdi>
  )
}
