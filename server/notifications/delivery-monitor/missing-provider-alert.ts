import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'

const ALERT_KEY = 'no mail provider'

/** Alerts administrators at startup if mail has no provider; once, until it is configured again. */
export async function alertMissingProvider(database: Database, unsent: readonly MessageChannel[]): Promise<void> {
  await inBackground(database, 'start', async (db) => {
    if (!unsent.includes('email')) {
      await db
        .updateTable('notifications')
        .set({ event_key: sql<string>`event_key || ' ended ' || now()` })
        .where('event_key', '=', ALERT_KEY)
        .execute()
      return
    }
    await db
      .insertInto('notifications')
      .values({
        user_id: null,
        recipient_role: 'admin',
        type: 'admin_alert',
        title: 'The portal does not send email',
        message:
          'No email provider is set up. Messages are recorded in the outbox but not sent. ' +
          'Set SMTP_URL or RESEND_API_KEY and restart the portal.',
        data: JSON.stringify({ alert: 'no_mail' }),
        delivery_method: ['in-app', 'browser'],
        priority: 'urgent',
        status: 'sent',
        sent_at: sql<Date>`now()`,
        action_url: '/admin/settings#channels',
        event_key: ALERT_KEY,
      })
      .onConflict((c) => c.column('event_key').doNothing())
      .execute()
  })
}
