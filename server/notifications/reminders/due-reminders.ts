import { type Selectable, sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { AnnouncementText, Audience, ScheduledNotificationsTable } from '#server/db/tables-notifications.ts'
import type { Log } from '#server/log.ts'
import type { Channel } from '#shared/delivery/kinds.ts'
import { inEachLanguage, inLanguage, type Localized } from '#shared/language.ts'
import { REMINDER_RETRY_MINUTES } from '#shared/notifications/reminders.ts'
import { COORDINATORS, type Role } from '#shared/roles.ts'
import { deliverNotification, type Method } from '../admin/send-api/notifications.ts'
import { announce } from '../announcements/create.ts'
import { estimateRecipients } from '../announcements/reach.ts'
import { portalZone, type ReminderPayload, type Rule, recipientsOf } from './schedule.ts'
import { reminderText } from './texts.ts'

type Row = Selectable<ScheduledNotificationsTable>

/**
 * Turns due reminders into announcements, each in its own transaction, so that announcing and marking as sent are
 * atomic. Failures are retried ten minutes later, at most three times. Safe to run in several places.
 */
export async function sendDueReminders(deps: { database: Database; log: Log }, now = new Date()): Promise<number> {
  let sent = 0
  for (;;) {
    let row: Row | undefined
    try {
      const isSent = await inBackground(deps.database, 'reminders', async (db) => {
        row = await nextDue(db, now)
        return row && send(db, row, now)
      })
      if (!row) return sent
      if (isSent) sent++
    } catch (error) {
      const failed = row
      if (!failed) throw error
      deps.log.warn({ reason: (error as Error).message, event: failed.event_type }, 'a reminder could not be sent')
      await inBackground(deps.database, 'reminders', (db) => postpone(db, failed, error as Error, now))
    }
  }
}

const nextDue = (db: Db, now: Date): Promise<Row | undefined> =>
  db
    .selectFrom('scheduled_notifications')
    .selectAll()
    .where('status', '=', 'pending')
    .where('scheduled_for', '<=', now)
    .orderBy('scheduled_for')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** True if announced; false if the reminder is obsolete. */
async function send(db: Db, row: Row, now: Date): Promise<boolean> {
  const payload = row.data as Partial<ReminderPayload>
  const rule = payload.rule
    ? await db.selectFrom('reminder_rules').selectAll().where('id', '=', payload.rule).executeTakeFirst()
    : undefined
  const ends = payload.rule && !rule?.enabled ? 'The rule is turned off' : begun(payload, now)
  if (ends) {
    await db
      .updateTable('scheduled_notifications')
      .set({ status: payload.rule && !rule?.enabled ? 'cancelled' : 'failed', error: ends })
      .where('id', '=', row.id)
      .execute()
    return false
  }
  const audience = audienceOf(row)
  const channels = rule?.delivery_methods ?? row.delivery_methods
  const kind = payload.rule ? 'reminder' : 'announcement'
  const { people } = await estimateRecipients(db, {
    kind,
    template: kind,
    audience,
    channels,
    advisory_id: null,
  })
  if (people === 0)
    throw new Error(
      row.user_id ? 'This person cannot be reached on any channel' : 'No one with this role can be reached',
    )
  if (payload.rule) await announceReminder(db, row, { rule, audience, channels })
  else await deliverScheduled(db, row)
  await db
    .updateTable('scheduled_notifications')
    .set({ status: 'sent', sent_at: now, error: null })
    .where('id', '=', row.id)
    .execute()
  return true
}

/** Delivers a notification scheduled through the API as if it were created now, under its original id and type. */
async function deliverScheduled(db: Db, row: Row): Promise<void> {
  await deliverNotification(
    db,
    {
      ...{ user_id: row.user_id, recipient_role: row.recipient_role as Role | null },
      ...{ type: row.type, title: row.title, message: row.message, priority: row.priority, action_url: row.action_url },
      data: JSON.stringify(row.data),
      created_at: row.created_at.toISOString(),
      delivery_method: row.delivery_methods as Method[],
    },
    { id: row.id },
  )
}

async function announceReminder(
  db: Db,
  row: Row,
  { rule, audience, channels }: { rule: Rule | undefined; audience: Audience; channels: Channel[] },
): Promise<void> {
  const payload = row.data as Partial<ReminderPayload>
  await announce(db, {
    // Once per start time: a moved event is announced again.
    key: `reminder ${row.id} ${payload.startsAt ?? row.scheduled_for.toISOString()}`,
    kind: 'reminder',
    priority: rule?.priority ?? row.priority,
    template: 'reminder',
    texts: await textsOf(db, row, rule),
    actionUrl: row.action_url,
    audience,
    channels,
  })
}

const begun = ({ startsAt }: Partial<ReminderPayload>, now: Date) =>
  startsAt && new Date(startsAt) <= now ? 'The event started before the reminder could be sent' : undefined

/** A group means all roles it covers: 'coordinator' stands for all coordinators (C-13). */
const audienceOf = ({ user_id, recipient_role }: Row): Audience =>
  user_id
    ? { users: [user_id] }
    : { roles: recipient_role === 'coordinator' ? ['coordinator', ...COORDINATORS] : [recipient_role as Role] }

/** Uses the rule's current text and the reader's current time zone; a manual reminder has its own text. */
async function textsOf(db: Db, row: Row, rule: Rule | undefined): Promise<Localized<AnnouncementText>> {
  const own = { title: row.title, message: row.message }
  if (!rule) return { en: own }
  // Only reminders of a rule have one, and they are all scheduled with the whole of it.
  const payload = row.data as ReminderPayload
  const otherwise = payload.timeZone ?? (await portalZone(db))
  const [reader] = row.user_id ? await recipientsOf(db, [row.user_id], otherwise) : []
  const occasion = { name: payload.name, startsAt: new Date(payload.startsAt), place: payload.place ?? undefined }
  return inEachLanguage((language) =>
    reminderText(inLanguage(rule.texts, language), occasion, language, reader?.zone ?? otherwise),
  )
}

/** Unless another process has handled it meanwhile. */
async function postpone(db: Db, row: Row, error: Error, now: Date): Promise<void> {
  await db
    .updateTable('scheduled_notifications')
    .set({
      retry_count: sql`retry_count + 1`,
      status: sql`case when retry_count + 1 >= max_retries then 'failed' else 'pending' end`,
      scheduled_for: new Date(now.getTime() + REMINDER_RETRY_MINUTES * 60_000),
      error: error.message.slice(0, 500),
    })
    .where('id', '=', row.id)
    .where('status', '=', 'pending')
    .where('retry_count', '=', row.retry_count)
    .execute()
}
