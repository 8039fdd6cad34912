import type { OutputOf } from '#shared/api.ts'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { addressOf, type Choice, PAGE_SIZE } from './list-address.ts'
import { NotificationRow } from './NotificationRow.tsx'
import styles from './Notifications.module.css'

type NotificationsResponse = OutputOf<'GET /admin-operations/users/{id}/notifications'>

/** The rows with pagination, or why there are none. */
export function NotificationList({
  choice,
  list: { notifications, total },
}: {
  choice: Choice
  list: NotificationsResponse
}) {
  const t = useT('notifications')
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  if (notifications.length === 0) return <Empty choice={choice} />
  return (
    <>
      {/* Some screen readers need the role on a list without markers. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <ul role="list" aria-label={t('list_label')} className={styles.list}>
        {notifications.map((notification) => (
          <NotificationRow key={notification.id} notification={notification} />
        ))}
      </ul>
      {pages > 1 && (
        <nav className={styles.paging} aria-label={t('paging_label')}>
          {choice.page > 1 && (
            <ButtonLink to={addressOf(choice, { page: choice.page - 1 })} rel="prev">
              {t('previous')}
            </ButtonLink>
          )}
          <span>{t('page_of', { page: choice.page, pages })}</span>
          {choice.page < pages && (
            <ButtonLink to={addressOf(choice, { page: choice.page + 1 })} rel="next">
              {t('next')}
            </ButtonLink>
          )}
        </nav>
      )}
    </>
  )
}

function Empty({ choice }: { choice: Choice }) {
  const t = useT('notifications')
  const isFiltered = choice.isUnreadOnly || choice.type !== '' || choice.page > 1
  return isFiltered ? (
    <Note heading="h2" title={t('none_match')} action={<ButtonLink to="?">{t('show_all')}</ButtonLink>}>
      <p>{t('none_match_text')}</p>
    </Note>
  ) : (
    <Note heading="h2" title={t('none')} icon="bell">
      <p>{t('none_text')}</p>
    </Note>
  )
}
