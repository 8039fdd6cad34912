import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid, stale } from '#server/db/records.ts'
import type { LocaleSchedulesTable } from '#server/db/tables-churches.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { ScheduleInput, saveServices } from '#shared/churches/care.ts'
import { ENDS_TOO_LATE, endsTooLate } from '#shared/churches/schedule.ts'
import { NOW, noLocale, published } from './confirmation.ts'
import { publicSchedule } from './projection.ts'
import { checkRecurrence, tidyRecurrence } from './recurrence.ts'

type Names = (code: string) => string | null
type Services = (typeof saveServices)['~']['parsed']['body']

/** Closes a locale temporarily, or reopens it (null). */
export async function closeLocale(
  db: Db,
  by: SignedIn,
  id: string,
  closure: { closed_since: string; closed_until: string | null; closed_reason: string } | null,
  names: Names,
) {
  if (closure?.closed_until && closure.closed_until < closure.closed_since)
    throw invalid({ closed_until: 'End must be after start' })
  const was = await lockLocale(db, id)
  const is: Record<'closed_since' | 'closed_until' | 'closed_reason', string | null> = closure
    ? { ...closure, closed_reason: closure.closed_reason || null }
    : { closed_since: null, closed_until: null, closed_reason: null }
  const difference = changed(
    { closed_since: was.closed_since, closed_until: was.closed_until, closed_reason: was.closed_reason },
    is,
  )
  if (!difference) return { version: was.updated_at.toISOString() }
  const version = await write(db, id, is)
  const action = closure ? 'locale.close' : 'locale.reopen'
  await audit(db, by, { action, subject_type: 'locale', subject_id: id, ...difference })
  await published(db, id, names)
  return { version }
}

/** Saves all services of a locale and its telephone; services left out are deleted. */
export async function saveServicesOf(db: Db, by: SignedIn, id: string, input: Services, names: Names) {
  const was = await lockLocale(db, id)
  if (was.updated_at.toISOString() !== input.version) throw stale()
  const before = await schedulesOf(db, id)
  const rows = input.schedules.map((schedule, at) => ({ own: schedule.id, row: rowOf(id, schedule, at) }))
  const known = new Set(before.map((row) => row.id))
  const remainingIds = input.schedules.flatMap((row) => (row.id && known.has(row.id) ? [row.id] : []))
  await db
    .deleteFrom('locale_schedules')
    .where('locale_id', '=', id)
    .where('id', 'not in', remainingIds.length > 0 ? remainingIds : [NOBODY])
    .execute()
  for (const { own, row } of rows) {
    if (own && known.has(own)) await db.updateTable('locale_schedules').set(row).where('id', '=', own).execute()
    else
      await db
        .insertInto('locale_schedules')
        .values({ ...row, id: randomUUID() })
        .execute()
  }
  const phone = input.phone || null
  const version = await write(db, id, { phone })
  const after = await schedulesOf(db, id)
  const difference = changed<object>(
    { phone: was.phone, schedules: before.map(publicSchedule) },
    { phone, schedules: after.map(publicSchedule) },
  )
  if (difference)
    await audit(db, by, { action: 'locale.services', subject_type: 'locale', subject_id: id, ...difference })
  await published(db, id, names)
  return { version }
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

const schedulesOf = (db: Db, id: string) =>
  db.selectFrom('locale_schedules').selectAll().where('locale_id', '=', id).orderBy('position').orderBy('id').execute()

export async function lockLocale(db: Db, id: string) {
  const row = await db.selectFrom('locales').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw noLocale()
  return row
}

/** Updates fields of a locale; returns its new version. */
export async function write(db: Db, id: string, fields: object): Promise<string> {
  const { updated_at } = await db
    .updateTable('locales')
    .set({ ...fields, updated_at: NOW })
    .where('id', '=', id)
    .returning('updated_at')
    .executeTakeFirstOrThrow()
  return updated_at.toISOString()
}

function rowOf(locale_id: string, schedule: ScheduleInput, position: number): Insertable<LocaleSchedulesTable> {
  const { id: _, time, end_time, title, language, online_url, note, recurrence, ...same } = schedule
  const rule = recurrence ? tidyRecurrence(recurrence) : null
  const wrong = (field: string, problem: string) => invalid({ [`schedules.${position}.${field}`]: problem })
  if (rule && same.day_of_week !== null) throw wrong('recurrence', 'Choose a weekday or enter a rule, not both')
  if (!rule && same.day_of_week === null) throw wrong('day_of_week', 'Choose a weekday or enter a rule')
  if (end_time && endsTooLate(time, end_time)) throw wrong('end_time', ENDS_TOO_LATE)
  const problem = rule && checkRecurrence(rule, same.starts_on)
  if (problem) throw wrong(same.starts_on ? 'recurrence' : 'starts_on', problem)
  if (same.starts_on && same.ends_on && same.ends_on < same.starts_on) throw wrong('ends_on', 'End must be after start')
  return {
    ...same,
    locale_id,
    position,
    recurrence: rule,
    start_time: time,
    end_time,
    title: title || null,
    language: language || null,
    online_url: online_url || null,
    note: note || null,
  }
}
