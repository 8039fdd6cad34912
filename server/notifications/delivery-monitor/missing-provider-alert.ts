import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { notifyAdministrators } from '../admin-alerts.ts'

const CAUSE = 'no_mail_provider'

/** Alerts administrators at startup if mail has no provider; once, until it is configured again. */
export async function alertMissingProvider(database: Database, unsent: readonly MessageChannel[]): Promise<void> {
  await inBackground(database, 'start', (db) => (unsent.includes('email') ? raise(db) : clear(db)))
}

async function raise(db: Db): Promise<void> {
  const alarm = await db
    .insertInto('delivery_monitor_alarms')
    .values({ cause: CAUSE, count: 1, detail: '' })
    // At most one of a cause is open, also when several processes start together.
    .onConflict((c) => c.column('cause').where('cleared_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!alarm) return
  await notifyAdministrators(db, {
    key: `delivery_monitor ${alarm.id}`,
    priority: 'urgent',
    title: 'The portal does not send email',
    message:
      'No email provider is set up. Messages are recorded in the outbox but not sent. ' +
      'Set SMTP_URL or RESEND_API_KEY and restart the portal.',
    path: '/admin/settings/connections',
    data: { alert: 'no_mail' },
  })
}

async function clear(db: Db): Promise<void> {
  await db
    .updateTable('delivery_monitor_alarms')
    .set({ cleared_at: sql<Date>`now()` })
    .where('cause', '=', CAUSE)
    .where('cleared_at', 'is', null)
    .execute()
}
