import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import { SEVERITY_SIGNS } from '#shared/advisories/signs.ts'

/** Channels whose sending can be proved by a canary message. */
export const CANARY_SETTINGS = { email: 'notifications.canary_email', sms: 'notifications.canary_phone' } as const
export type CanaryChannel = keyof typeof CANARY_SETTINGS

export const canaryKey = (announcementKey: string, channel: string) => `${announcementKey} canary ${channel}`

/**
 * Also sends an urgent announcement to the canary addresses, in the same transaction and with the same priority: if
 * these are sent, sending works.
 */
export async function sendCanary(
  db: Db,
  announcement: { id: string; key: string; texts: { en: AnnouncementText }; actionUrl: string | null },
  severity: Severity,
): Promise<void> {
  const { id, key, actionUrl } = announcement
  const { en: text } = announcement.texts
  for (const [channel, address] of await canaryAddresses(db)) {
    await db
      .insertInto('messages')
      .values({
        message_key: canaryKey(key, channel),
        channel,
        recipient: address,
        user_id: null,
        template: 'canary',
        subject: channel === 'email' ? `[Canary] ${SEVERITY_SIGNS[severity].sign} ${text.title}`.slice(0, 200) : '',
        body_text:
          channel === 'email'
            ? `${text.title}\n\n${text.message}\n\n${actionUrl ?? ''}\n\n-- \nThis proves that an urgent advisory left the portal. Nothing is to be done.\n`
            : `Canary: ${text.title}`.slice(0, 160),
        queue_priority: 0,
      })
      .onConflict((c) => c.column('message_key').doNothing())
      .execute()
    await db
      .insertInto('delivery_monitor_checks')
      .values({ announcement_id: id, channel, detail: null })
      .onConflict((c) => c.columns(['announcement_id', 'channel']).doNothing())
      .execute()
  }
}

/** From the table, so that a change just made by an administrator applies. */
export async function canaryAddresses(db: Db): Promise<[CanaryChannel, string][]> {
  const rows = await db
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('key', 'in', Object.values(CANARY_SETTINGS))
    .execute()
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  return (Object.entries(CANARY_SETTINGS) as [CanaryChannel, string][]).flatMap(
    ([channel, key]): [CanaryChannel, string][] => {
      const address = values.get(key)
      return typeof address === 'string' && address !== '' ? [[channel, address]] : []
    },
  )
}

/** Records when the canary messages were sent and delivered, since the messages themselves are pruned. */
export async function recordCanaryResults(db: Db): Promise<void> {
  await sql`
    update delivery_monitor_checks c set sent_at = m.sent_at, delivered_at = m.delivered_at
    from announcements a, messages m
    where a.id = c.announcement_id and m.message_key = a.announcement_key || ' canary ' || c.channel
      and a.created_at > now() - interval '7 days'
      and (c.sent_at, c.delivered_at) is distinct from (m.sent_at, m.delivered_at)`.execute(db)
}
