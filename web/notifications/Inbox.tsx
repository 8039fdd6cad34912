import { useEffect, useEffectEvent, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { OutputOf } from '#shared/api.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Filters } from './Filters.tsx'
import type { Choice } from './list-address.ts'
import { NotificationList } from './NotificationList.tsx'
import styles from './Notifications.module.css'
import { onUnreadCount } from './unread-count.ts'

/** Actions that the page confirms. */
const CONFIRMED = ['read', 'read-all', 'remove'] as const

interface Props {
  choice: Choice
  /** Null if it could not be read. */
  list: (OutputOf<'GET /admin-operations/users/{id}/notifications'> & { byType: Record<string, number> }) | null
  actionData: FormResult | undefined
}

/** The inbox, newest first; updates while it is open. */
export function Inbox({ choice, list, actionData }: Props) {
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
            <ButtonLink to="?" reloadDocument>
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
