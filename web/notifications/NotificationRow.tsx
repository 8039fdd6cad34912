import type { OutputOf } from '#shared/api.ts'
import { isolated } from '#web/lib/format.ts'
import { type Translate, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Form } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import { typeKey } from './list-address.ts'
import styles from './Notifications.module.css'

type Notification = OutputOf<'GET /admin-operations/users/{id}/notifications'>['notifications'][number]

/** One notification. Its title links to its subject and marks it as read; every action is a plain form. */
export function NotificationRow({ notification }: { notification: Notification }) {
  const t = useT('notifications')
  const { id, priority, type, action_url, created_at, read_at, recipient_role, data } = notification
  const { title, message } = contentOf(notification, t)
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
          {inOwnLanguage(message, data)}
        </p>
        {priority === 'urgent' && LEADS_TO_EMERGENCY.has(type) && (
          <p>
            <a href={`/emergency${typeof data.country_code === 'string' ? `/${data.country_code}` : ''}`}>
              {t('in_danger')}
            </a>
          </p>
        )}
        <div className={styles.actions}>
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

/** Other urgent ones go to administrators and helpers. */
const LEADS_TO_EMERGENCY: ReadonlySet<string> = new Set(['advisory', 'announcement', 'roll_call'])

/** An instruction in the source's own language is marked as such, for speech and fonts. */
function inOwnLanguage(message: string, { instruction, instruction_language: language }: Notification['data']) {
  if (typeof instruction !== 'string' || typeof language !== 'string') return message
  const start = message.indexOf(instruction)
  if (start < 0) return message
  return (
    <>
      {message.slice(0, start)}
      <bdi lang={language}>{instruction}</bdi>
      {message.slice(start + instruction.length)}
    </>
  )
}

/** Text addressed to a group is translated into the user's language. */
function contentOf({ type, title, message, data }: Notification, t: Translate<'notifications'>) {
  if (type === 'admin_alert' && data.alert === 'no_mail')
    return { title: t('no_mail_title'), message: t('no_mail_text') }
  if (type !== 'admin_alert' || typeof data.email !== 'string') return { title, message }
  return { title: t('alert_title'), message: t('alert_text', { email: isolated(data.email) }) }
}
