import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'

interface SampleNotification {
  key: string
  to: { role: string } | { login: string }
  type: string
  title: string
  message: string
  action_url: string
  priority?: 'medium' | 'high'
  isRead?: boolean
}

/**
 * Inbox entries for the demo logins: true of the sample content, and labelled as sample where they announce something.
 */
const SAMPLE_NOTIFICATIONS: SampleNotification[] = [
  {
    key: 'countries',
    to: { login: 'traveler@sample.invalid' },
    type: 'announcement',
    title: 'Your countries are on your dashboard',
    message: 'Saudi Arabia and Japan are set as the countries of this sample account. Change them in your profile.',
    action_url: '/dashboard',
  },
  {
    key: 'choose',
    to: { login: 'traveler@sample.invalid' },
    type: 'announcement',
    title: 'Choose how we contact you',
    message:
      'Choose what we send you, by which channels and at what times. This sample portal does not send real messages.',
    action_url: '/notifications/preferences',
    isRead: true,
  },
  {
    key: 'choose',
    to: { login: 'member@sample.invalid' },
    type: 'announcement',
    title: 'Choose how we contact you',
    message:
      'Choose what we send you, by which channels and at what times. This sample portal does not send real messages.',
    action_url: '/notifications/preferences',
  },
  {
    key: 'churches',
    to: { login: 'servant@sample.invalid' },
    type: 'announcement',
    title: 'Sample churches need confirming',
    message: 'Confirm service times that have not been checked for a long time, so that visitors can rely on them.',
    action_url: '/admin/my-churches',
  },
  {
    key: 'outbox',
    to: { role: 'admin' },
    type: 'announcement',
    title: 'Messages are recorded, not sent',
    message: 'This portal has sample content. The outbox shows the emails and text messages it would send.',
    action_url: '/admin/outbox',
    priority: 'high',
  },
]

/** Adds notifications for the demo logins, so that the inbox is not empty. Idempotent. */
export async function loadSampleNotifications(database: Database, log: Log): Promise<number> {
  const insertedCount = await inBackground(database, 'sample', async (db) => {
    const users = await db
      .selectFrom('user_profiles')
      .select(['id', 'email'])
      .where('email', 'like', '%@sample.invalid')
      .execute()
    if (users.length === 0) return 0
    const rows = SAMPLE_NOTIFICATIONS.flatMap(({ key, to, isRead, ...content }) => {
      const user = 'login' in to ? users.find(({ email }) => email === to.login) : undefined
      if ('login' in to && !user) return []
      return {
        ...content,
        user_id: user?.id ?? null,
        recipient_role: 'role' in to ? to.role : null,
        data: '{}',
        delivery_method: ['in-app'],
        status: 'sent' as const,
        sent_at: new Date(),
        read_at: isRead ? new Date() : null,
        event_key: `sample ${key} ${user?.id ?? ''}`,
      }
    })
    const inserted = await db
      .insertInto('notifications')
      .values(rows)
      .onConflict((c) => c.column('event_key').doNothing())
      .returning('id')
      .execute()
    return inserted.length
  })
  if (insertedCount > 0) log.info({ notifications: insertedCount }, 'sample notifications told')
  return insertedCount
}
