import { Link } from 'react-router'
import styles from './BriefList.module.css'
import { Contact } from './Contact.tsx'
import type { BriefLocale } from './churches-in-countries.server.ts'

/** Names, addresses and phone numbers, for pages about something else. */
export function BriefList({ locales }: { locales: readonly BriefLocale[] }) {
  return (
    <ul className={styles.list}>
      {locales.map(({ id, name, address, phone }) => (
        <li key={id}>
          <Link to={`/church-locator/${id}`}>
            <bdi>{name}</bdi>
          </Link>
          {address && (
            <span className={styles.address}>
              <bdi>{address}</bdi>
            </span>
          )}
          {phone && (
            <span className={styles.phone}>
              <Contact value={phone} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
