import { Link } from 'react-router'
import styles from './Admin.module.css'

/** The way to the list that a page belongs to. */
export const Back = ({ to, children }: { to: string; children: string }) => (
  <p className={styles.back}>
    <Link to={to}>{children}</Link>
  </p>
)
