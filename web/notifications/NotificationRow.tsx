import type { OutputOf } from '#shared/api.ts'
import { isolated } from '../lib/format.ts'
import { type Translate, useT } from '../lib/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Form } from '../ui/Form.tsx'
import { Time } from '../ui/Time.tsx'
import { typeKey } from './listing.ts'
import styles from './Notifications.module.css'

type Notification = OutputOf<'GET /admin-operations/users/{id}/notifications'>['notifications'][number]

/** One of them. Its title leads where it is about and counts it as read; every deed is a plain form. */
export function NotificationRow({ notification }: { notification: Notification }) {
  const t = useT('notifications')
  const { id, priority, type, action_url, created_at, read_at, recipient_role } = notification
  const { title, message } = wordsOf(notification, t)
  const isRead = read_at !== null
  return (
    <li className={classes(styles.row, !isRead && styles.unread)}>
      <Form>
        <p className={styles.facts}>
          {!isRead && <b className={styles.new}>{t('new')}</b>}
          {(priority === 'urgent' || priority === 'high') && (
            <b className={styles[priority]}>{t(`priority_${priority}`)}</b>
          )}
          <span>{t(typeKey(type))}</span>
          {recipient_role !== null && <span>{t('to_group')}</span>}
          <Time value={created_at} look="relative" />
        </p>
        <h2 className={styles.title}>
          {action_url === null ? (
            <bdi>{title}</bdi>
          ) : (
            <>
              <input type="hidden" name="to" value={action_url} />
              <button type="submit" name="open" value={id} className={styles.open}>
                <bdi>{title}</bdi>
              </button>
            </>
          )}
        </h2>
        <p className={styles.message} dir="auto">
          {message}
        </p>
        <div className={styles.deeds}>
          {!isRead && (
            <Button
              type="submit"
              name="read"
              value={id}
              look="link"
              isSmall
              aria-label={t('mark_read_named', { title: isolated(title) })}
            >
              {t('mark_read')}
            </Button>
          )}
          <Button
            type="submit"
            name="remove"
            value={id}
            look="link"
            isSmall
            aria-label={t('put_away_named', { title: isolated(title) })}
          >
            {t('put_away')}
          </Button>
        </div>
      </Form>
    </li>
  )
}

/** What is written once for a whole group is said in the language of each reader. */
function wordsOf({ type, title, message, data }: Notification, t: Translate<'notifications'>) {
  if (type !== 'admin_alert' || typeof data.email !== 'string') return { title, message }
  return { title: t('alert_title'), message: t('alert_text', { email: isolated(data.email) }) }
}
