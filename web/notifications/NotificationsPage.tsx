import { useEffect, useEffectEvent, useRef } from 'react'
import { data, useRevalidator } from 'react-router'
import {
  getOwnNotificationStats,
  listNotifications,
  readAllNotifications,
  readNotification,
  removeNotification,
} from '#shared/notifications/inbox.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt, userOf } from '#web/lib/visitor.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/NotificationsPage'
import { Filters } from './Filters.tsx'
import { HERE, PAGE_SIZE, readChoice } from './list-address.ts'
import { NotificationList } from './NotificationList.tsx'
import styles from './Notifications.module.css'
import { onUnreadCount } from './unread-count.ts'

export async function loader({ context, request }: Route.LoaderArgs) {
  const { id } = userOf(context)
  const choice = readChoice(new URL(request.url).searchParams)
  const { isUnreadOnly, type, page } = choice
  const query = {
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
    ...(isUnreadOnly && { unreadOnly: 'true' as const }),
  }
  const { done, error } = await attempt(context, async (call) => ({
    ...(await call(listNotifications, { params: { id }, query: { ...query, ...(type && { type }) } })),
    byType: (await call(getOwnNotificationStats)).byType,
  }))
  return data({ choice, list: done ?? null }, { status: error?.status ?? 200 })
}

/** Actions that the page confirms. */
const CONFIRMED = ['read', 'read-all', 'remove'] as const

export const action = formAction(
  {
    read: async (call, { text }) => {
      await call(readNotification, { params: { id: text('read') } })
      return {}
    },
    'read-all': async (call, { context }) => {
      await call(readAllNotifications, { params: { id: userOf(context).id } })
      return {}
    },
    remove: async (call, { text }) => {
      await call(removeNotification, { params: { id: text('remove') } })
      return {}
    },
    open: async (_call, { context, text }) => {
      // Goes there even if marking as read failed.
      await attempt(context, (call) => call(readNotification, { params: { id: text('open') } }))
      return safeReturnTo(text('to')) ?? HERE
    },
  },
  { byField: true },
)

/** The inbox, newest first; updates while it is open. */
export default function NotificationsPage({ loaderData: { choice, list }, actionData }: Route.ComponentProps) {
  const t = useT('notifications')
  useLiveList(list?.unreadCount)
  if (!list)
    return (
      <div className={styles.page}>
        <Note
          kind="unknown"
          heading="h2"
          title={t('failed')}
          action={
            <ButtonLink to={HERE} reloadDocument>
              {t('try_again')}
            </ButtonLink>
          }
        >
          <p>{t('failed_text')}</p>
        </Note>
      </div>
    )
  const { unreadCount } = list
  const confirmed = actionData?.error ? undefined : CONFIRMED.find((name) => name === actionData?.intent)
  return (
    <div className={styles.page}>
      <Filters choice={choice} byType={list.byType} />
      <Form error={actionData?.error}>
        <div className={styles.head}>
          <p className={styles.count} role="status">
            {unreadCount > 0 ? t('unread_count', { count: unreadCount }) : t('all_read_now')}
          </p>
          {unreadCount > 0 && (
            <Button type="submit" name="read-all" value="1" isSmall>
              {t('read_all')}
            </Button>
          )}
        </div>
      </Form>
      {confirmed && <Done key={unreadCount} action={confirmed} />}
      <NotificationList choice={choice} list={list} />
    </div>
  )
}

/** Receives the focus: the row, and the button pressed, may be gone. */
function Done({ action }: { action: (typeof CONFIRMED)[number] }) {
  const t = useT('notifications')
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.focus(), [])
  return (
    <div ref={note} tabIndex={-1} className={styles.done}>
      <Note kind="success" title={t(`done_${action}`)} isLive />
    </div>
  )
}

/** Reloads the list when the unread count differs from the list. */
function useLiveList(unread: number | undefined) {
  const { revalidate, state } = useRevalidator()
  const onCount = useEffectEvent((count: number) => {
    if (count !== Math.min(unread ?? 0, 100) && state === 'idle') void revalidate()
  })
  useEffect(() => onUnreadCount((count) => onCount(count)), [])
}
