import styles from './UserText.module.css'

/** User-written text: in its own direction, with its line breaks. */
export function UserText({ children }: { children: string | null }) {
  return (
    <p className={styles.words} dir="auto">
      {children}
    </p>
  )
}
