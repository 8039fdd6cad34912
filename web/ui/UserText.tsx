import styles from './UserText.module.css'

/** What somebody wrote: in its own direction, with its own lines. */
export function UserText({ children }: { children: string | null }) {
  return (
    <p className={styles.words} dir="auto">
      {children}
    </p>
  )
}
