import { Link, useLocation } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './InboxLink.module.css'
import { useUnread } from './useUnread.ts'

/** The badge shows no number above this. */
const MAX_BADGE_COUNT = 99

/** Link to the inbox with the unread count: live, and without scripts as of rendering. */
export function InboxLink({ to = '/notifications' }: { to?: string }) {
  const t = useT('common')
  const { pathname } = useLocation()
  const unread = useUnread()
  const hasMore = unread > MAX_BADGE_COUNT
  return (
    <Link
      to={to}
      className={styles.inbox}
      aria-label={hasMore ? t('inbox_unread_more', { n: MAX_BADGE_COUNT }) : t('inbox_unread', { count: unread })}
      aria-current={pathname === to ? 'page' : undefined}
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {hasMore ? `${MAX_BADGE_COUNT}+` : unread}
        </span>
      )}
    </Link>
  )
}
