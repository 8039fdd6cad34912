import { type Selectable, sql } from 'kysely'
import { userZone } from '#server/countries/user-zone.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { ReminderRulesTable } from '#server/db/tables-notifications.ts'
import { cancelWaiting } from '#server/delivery/outbox.ts'
import { inLanguage, type Language, type Localized } from '#shared/language.ts'
import { REMINDER_RETRIES } from '#shared/notifications/reminders.ts'
import { reminderText } from './texts.ts'

/** An event with a start time that users are reminded of. */
export interface RemindedEvent {
  eventType: string
  eventId: string
  name: string | Localized<string>
  startsAt: Date
  place?: string | undefined
  /** Users to remind. */
  userIds: string[]
  /** Path inside the portal. */
  actionUrl: string
  /** Time zone of the venue, for readers who have not set one. */
  timeZone?: string | undefined
}

export type Rule = Selectable<ReminderRulesTable>

/** Stored with the row, so that its text can be rendered when it is due. */
export interface ReminderPayload {
  rule: string
  offset: number
  name: string | Localized<string>
  startsAt: string
  place: string | null
  timeZone: string | null
}

/**
 * Schedules the reminders of an event in the transaction of its cause, whatever role runs it. Idempotent: the key
 * consists of event, reader, rule and offset. Past reminders are not scheduled (REMIND-06); one sent before the event
 * was moved is sent again with the new time.
 */
export function scheduleReminders(db: Db, event: RemindedEvent, now: Date): Promise<void> {
  return asPortal(db, () => plan(db, event, now))
}

/** The same for an event with a new start time; users no longer in its list are not reminded. */
export function moveReminders(db: Db, event: RemindedEvent, now: Date): Promise<void> {
  return asPortal(db, async () => {
    await plan(db, event, now)
    await db
      .updateTable('scheduled_notifications')
      .set({ status: 'cancelled', error: 'This person no longer takes part in the event' })
      .where('event_type', '=', event.eventType)
      .where('event_id', '=', event.eventId)
      .where('status', '=', 'pending')
      .where(sql<boolean>`user_id is not null and user_id <> all(${event.userIds}::uuid[])`)
      .execute()
  })
}

/** Cancels future reminders of an event, for all or some of its users, including queued messages. */
export function cancelReminders(
  db: Db,
  { eventType, eventId, userIds }: { eventType: string; eventId: string; userIds?: string[] },
): Promise<void> {
  return asPortal(db, async () => {
    const theirs = userIds ? sql<boolean>`user_id = any(${userIds}::uuid[])` : sql<boolean>`true`
    const rows = await db
      .updateTable('scheduled_notifications')
      .set({
        status: sql`case when status = 'pending' then 'cancelled' else status end`,
        // Keeps a change of the rule from restoring it.
        data: sql`data || '{"isOver": true}'`,
      })
      .where('event_type', '=', eventType)
      .where('event_id', '=', eventId)
      .where(theirs)
      .returning('id')
      .execute()
    await withdraw(
      db,
      rows.map(({ id }) => id),
    )
  })
}

async function withdraw(db: Db, ids: string[]): Promise<void> {
  const theirs = sql<boolean>`announcement_key like 'reminder %' and split_part(announcement_key, ' ', 2) = any(${ids})`
  await db
    .updateTable('announcements')
    .set({ status: 'cancelled' })
    .where(theirs)
    .where('status', '=', 'waiting')
    .execute()
  await cancelWaiting(db)
    .where('announcement_id', 'in', (of) => of.selectFrom('announcements').select('id').where(theirs))
    .execute()
}

async function plan(db: Db, event: RemindedEvent, now: Date): Promise<void> {
  const rules = await db.selectFrom('reminder_rules').selectAll().where('event_type', '=', event.eventType).execute()
  const zone = event.timeZone ?? (await portalZone(db))
  for (const rule of rules) {
    const readers: Recipient[] = rule.recipient_role
      ? [{ id: null, role: rule.recipient_role, language: 'en', zone }]
      : await recipientsOf(db, event.userIds, zone)
    await upsertReminders(db, rule, event, readers, now)
  }
}

export interface Recipient {
  id: string | null
  role: string | null
  language: Language
  zone: string
}

/** Inserts or updates one row per reader and offset. */
export async function upsertReminders(
  db: Db,
  rule: Rule,
  event: Omit<RemindedEvent, 'userIds'>,
  readers: Recipient[],
  now: Date,
): Promise<void> {
  if (readers.length === 0) return
  const { eventType, eventId, startsAt, name, place, actionUrl, timeZone } = event
  for (const offset of rule.reminder_offsets.map(Number)) {
    const due = new Date(startsAt.getTime() - offset * 3_600_000)
    const payload: ReminderPayload = {
      ...{ rule: rule.id, offset, name, startsAt: startsAt.toISOString() },
      place: place ?? null,
      timeZone: timeZone ?? null,
    }
    const rows = readers.map(({ id, role, language, zone }) => ({
      ...reminderText(inLanguage(rule.texts, language), { name, startsAt, place }, language, zone),
      user_id: id,
      recipient_role: role,
      event_key: `${eventType} ${eventId} ${id ?? role} ${rule.id} ${offset}`,
    }))
    if (due <= now) {
      const keys = rows.map(({ event_key }) => event_key)
      await skipMissed(db, keys, payload, now)
      continue
    }
    // A reminder sent for this start time is not sent again; one that a disabled rule cancelled waits until it is
    // enabled.
    await sql`
      insert into scheduled_notifications as s (type, title, message, user_id, recipient_role, scheduled_for, priority,
        delivery_methods, data, action_url, status, max_retries, event_type, event_id, event_key)
      select 'reminder', r.title, r.message, r.user_id, r.recipient_role, ${due}, ${rule.priority},
        ${rule.delivery_methods}::text[], ${JSON.stringify(payload)}::jsonb, ${actionUrl}, ${rule.enabled ? 'pending' : 'cancelled'}, ${REMINDER_RETRIES}, ${eventType},
        ${eventId}, r.event_key
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as r (title text, message text, user_id uuid, recipient_role text, event_key text)
      on conflict (event_key) do update set status = excluded.status, title = excluded.title, message = excluded.message, data = excluded.data,
        priority = excluded.priority, delivery_methods = excluded.delivery_methods, action_url = excluded.action_url,
        scheduled_for = excluded.scheduled_for, retry_count = 0, sent_at = null, error = null
      where s.status in ('pending', 'cancelled')
        or (s.data ->> 'startsAt')::timestamptz is distinct from (excluded.data ->> 'startsAt')::timestamptz`.execute(
      db,
    )
  }
}

/**
 * Cancels reminders whose time has passed because the event was moved closer. One that was already due is still sent,
 * with the new time.
 */
async function skipMissed(db: Db, keys: string[], payload: ReminderPayload, now: Date): Promise<void> {
  const theirs = db
    .updateTable('scheduled_notifications')
    .where(sql<boolean>`event_key = any(${keys})`)
    .where('status', '=', 'pending')
    .where(sql<boolean>`(data ->> 'startsAt')::timestamptz is distinct from ${payload.startsAt}::timestamptz`)
  await theirs
    .set({ data: JSON.stringify(payload) })
    .where((of) => of.or([of('scheduled_for', '<=', now), of('retry_count', '>', 0)]))
    .execute()
  await theirs.set({ status: 'cancelled', error: 'The reminder time had passed when the event was moved' }).execute()
}

/** Users with language and time zone, without deleted and suspended ones. */
export async function recipientsOf(db: Db, ids: string[], zone: string): Promise<Recipient[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; language: Language } & Parameters<typeof userZone>[0]>`
    select p.id, case when p.preferred_language = 'ar' then 'ar' else 'en' end as language, p.time_zone,
      p.country_code::text as country_code, p.phone_number as phone
    from user_profiles p where p.id = any(${ids}::uuid[]) and p.profile_status in ('active', 'pending')
    order by p.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    role: null,
    language: row.language,
    zone: userZone(row, zone),
  }))
}

export async function portalZone(db: Db): Promise<string> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', 'time_zone').executeTakeFirst()
  return isZone(row?.value) ? row.value : 'UTC'
}

export function isZone(zone: unknown): zone is string {
  try {
    return typeof zone === 'string' && zone !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}
