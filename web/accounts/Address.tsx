import styles from './AuthCard.module.css'

/** An email address or phone number that may wrap at any character. */
export function Address({ children }: { children: string }) {
  return (
    <bdi dir="ltr" className={styles.address}>
      {children}
    </bdi>
  )
}
