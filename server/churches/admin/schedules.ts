import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import { present } from '#shared/assert.ts'
import type { ScheduleEntry } from '#shared/churches/entry.ts'
import type { ManagedSchedule } from '#shared/churches/managed-schedules.ts'
import { ENDS_TOO_LATE, endsTooLate } from '#shared/churches/schedule.ts'
import { AppError } from '#shared/errors.ts'
import { checkRecurrence, tidyRecurrence } from '../recurrence.ts'
import { schedulesOf } from './admin-locale.ts'
import { lockLocale, touchLocale, type WriteContext, withoutNulls } from './write-context.ts'

export async function addSchedule(db: Db, locale: string, entry: ScheduleEntry, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const row = rowOf(entry, writing)
  const position = entry.position ?? (await nextPosition(db, locale))
  const { id } = await db
    .insertInto('locale_schedules')
    .values({ ...row, locale_id: locale, position })
    .returning('id')
    .executeTakeFirstOrThrow()
  await touchLocale(db, lockedRow, writing)
  await audit(db, writing.by, {
    action: 'locale.schedule',
    ...subject(locale),
    after: { schedule: id, ...withoutNulls(row) },
  })
  return getManagedSchedule(db, locale, id)
}

export async function changeSchedule(db: Db, locale: string, id: string, entry: ScheduleEntry, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const was = await findSchedule(db, locale, id)
  const row = { ...rowOf(entry, writing), position: entry.position ?? was.position }
  const difference = changed(inMinutes(was), row)
  if (difference) {
    await db.updateTable('locale_schedules').set(difference.after).where('id', '=', id).execute()
    await touchLocale(db, lockedRow, writing)
    await audit(db, writing.by, {
      action: 'locale.schedule',
      ...subject(locale),
      before: { schedule: id, ...difference.before },
      after: { schedule: id, ...difference.after },
    })
  }
  return getManagedSchedule(db, locale, id)
}

export async function removeSchedule(db: Db, locale: string, id: string, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const { locale_id: _, ...was } = await findSchedule(db, locale, id)
  await db.deleteFrom('locale_schedules').where('id', '=', id).execute()
  await touchLocale(db, lockedRow, writing)
  await audit(db, writing.by, { action: 'locale.schedule_removed', ...subject(locale), before: was })
}

/** Either a weekday or a recurrence rule, which is counted from a start date. */
function rowOf(entry: ScheduleEntry, { now }: WriteContext) {
  const problems: Record<string, string> = {}
  const recurrence = entry.recurrence ? tidyRecurrence(entry.recurrence) : null
  const starts_on = entry.starts_on ?? (recurrence ? now.toISOString().slice(0, 10) : null)
  if (recurrence && entry.day_of_week !== null) problems.recurrence = 'Choose a weekday or enter a rule, not both'
  else if (recurrence) {
    const problem = checkRecurrence(recurrence, starts_on)
    if (problem) problems.recurrence = problem
  } else if (entry.day_of_week === null) problems.day_of_week = 'Choose a weekday or enter a rule'
  if (starts_on && entry.ends_on && entry.ends_on < starts_on) problems.ends_on = 'End must be after start'
  if (entry.end_time && endsTooLate(entry.start_time, entry.end_time)) problems.end_time = ENDS_TOO_LATE
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return {
    day_of_week: entry.day_of_week,
    recurrence,
    starts_on,
    ends_on: entry.ends_on ?? null,
    start_time: entry.start_time,
    end_time: entry.end_time ?? null,
    service_type: entry.service_type,
    title: entry.title ?? null,
    language: entry.language ?? null,
    is_online: entry.is_online,
    online_url: entry.online_url ?? null,
    note: entry.note ?? null,
  }
}

/** Times in responses: without seconds. */
function inMinutes({ locale_id: _, id: __, ...row }: Awaited<ReturnType<typeof findSchedule>>) {
  return { ...row, start_time: row.start_time.slice(0, 5), end_time: row.end_time?.slice(0, 5) ?? null }
}

async function findSchedule(db: Db, locale: string, id: string) {
  const found = await db
    .selectFrom('locale_schedules')
    .selectAll()
    .where('id', '=', id)
    .where('locale_id', '=', locale)
    .executeTakeFirst()
  if (!found) throw new AppError(404, 'schedule_not_found', 'This service is no longer on the list.')
  return found
}

async function getManagedSchedule(db: Db, locale: string, id: string): Promise<ManagedSchedule> {
  return present(
    (await schedulesOf(db, locale)).find((schedule) => schedule.id === id),
    'the service',
  )
}

async function nextPosition(db: Db, locale: string): Promise<number> {
  const { last } = await db
    .selectFrom('locale_schedules')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('locale_id', '=', locale)
    .executeTakeFirstOrThrow()
  return last === null ? 0 : Number(last) + 1
}

const subject = (id: string) => ({ subject_type: 'locale', subject_id: id })
