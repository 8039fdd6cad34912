import { sql } from 'kysely'
import { audit, changed } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import type { ReminderRule, ReminderRuleBody } from '#shared/notifications/reminders.ts'
import type { Role } from '#shared/roles.ts'
import {
  portalZone,
  type Recipient,
  type ReminderPayload,
  type Rule,
  recipientsOf,
  upsertReminders,
} from './schedule.ts'

export async function listRules(db: Db, id?: string): Promise<ReminderRule[]> {
  const { rows } = await sql<Rule & { updated_by_name: string | null; pending: number; sent: number; failed: number }>`
    select r.*, p.display_name as updated_by_name, coalesce(s.pending, 0)::int as pending,
      coalesce(s.sent, 0)::int as sent, coalesce(s.failed, 0)::int as failed
    from reminder_rules r
    left join user_profiles p on p.id = r.updated_by
    left join (
      select data ->> 'rule' as rule, count(*) filter (where status = 'pending') as pending,
        count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'failed') as failed
      from scheduled_notifications group by 1
    ) s on s.rule = r.id
    where ${id ?? null}::text is null or r.id = ${id ?? null}
    order by r.event_type, r.recipient_role nulls first, r.id`.execute(db)
  return rows.map(({ updated_by: _, ...row }) => ({
    ...row,
    reminder_offsets: row.reminder_offsets.map(Number),
    delivery_methods: row.delivery_methods as ReminderRule['delivery_methods'],
    recipient_role: row.recipient_role as Role | null,
    updated_at: row.updated_at.toISOString(),
  }))
}

/** Changes a rule and its future reminders in one transaction. */
export async function changeRule(
  db: Db,
  id: string,
  { made_from, ...body }: ReminderRuleBody,
  by: SignedIn,
  now: Date,
): Promise<ReminderRule> {
  const lockedRow = await db
    .selectFrom('reminder_rules')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!lockedRow) throw new AppError(404, 'rule_not_found', 'Rule not found.')
  if (made_from !== undefined && lockedRow.updated_at.getTime() !== Date.parse(made_from))
    throw new AppError(409, 'stale', 'Someone has changed this since you opened it. Nothing was saved.')
  const { texts, ...rest } = body
  const rule = await db
    .updateTable('reminder_rules')
    .set({
      ...rest,
      reminder_offsets: body.reminder_offsets.map(String),
      texts: JSON.stringify(texts),
      updated_by: by.id,
      updated_at: sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const was = { ...lockedRow, reminder_offsets: lockedRow.reminder_offsets.map(Number) }
  const difference = changed(was, body as Partial<typeof was>)
  if (difference)
    await audit(db, by, {
      action: 'reminder_rule.update',
      subject_type: 'reminder_rule',
      subject_id: id,
      ...difference,
    })
  await asPortal(db, () => followRule(db, rule, now))
  return firstOf(await listRules(db, id))
}

/** Updates future reminders to match the rule: other offsets, disabled, enabled again. */
export async function followRule(db: Db, rule: Rule, now: Date): Promise<void> {
  const { rows: events } = await sql<{ event_id: string; action_url: string; data: ReminderPayload; people: string[] }>`
    select event_id, min(action_url) as action_url, (array_agg(data order by created_at desc, id))[1] as data,
      coalesce(array_agg(distinct user_id) filter (where user_id is not null), '{}') as people
    from scheduled_notifications
    where event_type = ${rule.event_type} and not data ? 'isOver' and (data ->> 'startsAt')::timestamptz > ${now}
      and data ->> 'rule' = ${rule.id}
      and (status <> 'cancelled' or error is distinct from 'This person no longer takes part in the event')
    group by event_id`.execute(db)
  await db
    .updateTable('scheduled_notifications')
    .set({ status: 'cancelled', error: rule.enabled ? 'The rule was changed' : 'The rule is turned off' })
    .where('status', '=', 'pending')
    .where(sql<boolean>`data ->> 'rule' = ${rule.id}`)
    .where(
      sql<boolean>`not ${rule.enabled}::boolean or not (data ->> 'offset')::numeric = any(${rule.reminder_offsets}::numeric[])`,
    )
    .execute()
  if (!rule.enabled) return
  const otherwise = await portalZone(db)
  for (const { event_id, action_url, data, people } of events) {
    const zone = data.timeZone ?? otherwise
    const group: Recipient = { id: null, role: rule.recipient_role, language: 'en' as Language, zone }
    const event = {
      ...{ eventType: rule.event_type, eventId: event_id, actionUrl: action_url, name: data.name },
      startsAt: new Date(data.startsAt),
      place: data.place ?? undefined,
      timeZone: data.timeZone ?? undefined,
    }
    await upsertReminders(db, rule, event, rule.recipient_role ? [group] : await recipientsOf(db, people, zone), now)
  }
}
