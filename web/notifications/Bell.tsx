import { Link, useLocation } from 'react-router'
import { useT } from '../lib/i18n.tsx'
import { Icon } from '../ui/Icon.tsx'
import styles from './Bell.module.css'
import { useUnread } from './useUnread.ts'

/** The bell shows no number above this. */
const MOST = 99

/** Where one's notifications are, and how many are not read: live, and without scripts as of when the page was made. */
export function Bell() {
  const t = useT('common')
  const { pathname } = useLocation()
  const unread = useUnread()
  const hasMore = unread > MOST
  return (
    <Link
      to="/notifications"
      className={styles.bell}
      aria-label={hasMore ? t('bell_more', { n: MOST }) : t('bell', { count: unread })}
      aria-current={pathname === '/notifications' ? 'page' : undefined}
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {hasMore ? `${MOST}+` : unread}
        </span>
      )}
    </Link>
  )
}
