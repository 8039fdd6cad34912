import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { ReminderRule } from '#shared/notifications/reminders.ts'
import { ROLES } from '#shared/roles.ts'
import { fanOutDue } from '../announcements/fan-out.ts'
import { sendDueReminders } from './due-reminders.ts'
import { cancelReminders, moveReminders, type RemindedEvent, scheduleReminders } from './schedule.ts'

const database = await testDatabase()
const app = await testApp(database)
const log = createLog('silent')
const admin = await createTestUser(database, 'admin')
const ana = await createTestUser(database, 'traveler', { time_zone: 'Asia/Manila' })
const ben = await createTestUser(database, 'traveler', { time_zone: 'America/New_York', preferred_language: 'ar' })
const coordinator = await createTestUser(database, 'pdos_coordinator')

const HOUR = 3_600_000
const start = new Date('2027-03-14T12:00:00Z')
const before = (hours: number) => new Date(start.getTime() - hours * HOUR)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
let made = 0
const session = (more: Partial<RemindedEvent> = {}): RemindedEvent => ({
  eventType: 'pdos_session',
  eventId: `session-${++made}`,
  name: 'PDOS Manila',
  startsAt: start,
  place: 'Quezon City',
  userIds: [ana.id, ben.id],
  actionUrl: '/dashboard',
  ...more,
})
const rowsOf = ({ eventId }: Pick<RemindedEvent, 'eventId'>) =>
  inside((db) =>
    db
      .selectFrom('scheduled_notifications')
      .selectAll()
      .where('event_id', '=', eventId)
      .orderBy('scheduled_for')
      .orderBy('event_key')
      .execute(),
  )
const statusesOf = async (event: RemindedEvent) => (await rowsOf(event)).map(({ status }) => status)
const due = (now: Date) => sendDueReminders({ database, log }, now)

async function rule(method: 'GET' | 'PUT', id: string, body?: object, as = admin.as) {
  const path = method === 'GET' ? '' : `/${id}`
  const response = await app.request(`/api/admin-operations/reminder-rules${path}`, {
    method,
    headers: { [AS]: as, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = (await response.json()) as {
    rules: ReminderRule[]
    rule: ReminderRule
    fields: Record<string, string>
  }
  return { status: response.status, answer }
}
const ruleOf = async (id: string) => (await rule('GET', id)).answer.rules.find((row) => row.id === id)!
const bodyOf = ({ reminder_offsets, enabled, priority, delivery_methods, texts }: ReminderRule) => ({
  ...{ reminder_offsets, enabled, priority, delivery_methods, texts },
})

test('the initial rules are those of the specification', async () => {
  const { rules } = (await rule('GET', '')).answer
  expect(
    rules.map((row) => [
      row.id,
      row.event_type,
      row.reminder_offsets,
      row.delivery_methods,
      row.priority,
      row.recipient_role,
    ]),
  ).toEqual([
    ['application_deadline', 'application_deadline', [72, 24, 2], ['in-app', 'email', 'sms'], 'urgent', null],
    ['pdos_session', 'pdos_session', [24, 2], ['in-app', 'email', 'sms'], 'high', null],
    ['virtual_training', 'virtual_training', [24, 2], ['in-app', 'email'], 'high', null],
    ['instructor', 'virtual_training', [2], ['in-app', 'email'], 'medium', 'coordinator'],
  ])
})

test('an event is scheduled once even if requested twice, and past reminders are not', async () => {
  const event = session()
  await inside((db) => scheduleReminders(db, event, before(48)))
  await inside((db) => scheduleReminders(db, event, before(47)))
  expect((await rowsOf(event)).map((row) => [row.user_id, row.scheduled_for])).toEqual(
    [24, 2].flatMap((hours) => [ana.id, ben.id].sort().map((id) => [id, before(hours)])),
  )
  const soon = session()
  await inside((db) => scheduleReminders(db, soon, before(1)))
  expect(await rowsOf(soon)).toEqual([])
})

test('a due reminder is sent once, with the rule’s text and each reader’s local time', async () => {
  const event = session()
  await inside((db) => scheduleReminders(db, event, before(48)))
  await due(before(24))
  expect(await statusesOf(event)).toEqual(['sent', 'sent', 'pending', 'pending'])
  await due(before(23))
  const results = await fanOutDue(database)
  expect(results.every(({ recipients }) => recipients === 1)).toBe(true)
  const inboxRows = await inside((db) =>
    db
      .selectFrom('notifications')
      .selectAll()
      .where('type', '=', 'reminder')
      .where('title', 'like', '%PDOS Manila%')
      .execute(),
  )
  const lastItemOf = (id: string) => inboxRows.filter(({ user_id }) => user_id === id).at(-1)!
  expect(lastItemOf(ana.id).message).toContain('Sunday, 14 March 2027, 20:00 (Asia/Manila) at Quezon City')
  // Daylight saving time begins on this very day.
  expect(lastItemOf(ben.id).message).toContain('08:00 (America/New_York)')
  expect(lastItemOf(ben.id).title).toMatch(/^جلسة التوجيه/)
  expect(lastItemOf(ana.id)).toMatchObject({ action_url: '/dashboard', priority: 'high' })
})

test('a group is reminded as a group', async () => {
  const event = session({ eventType: 'virtual_training', eventId: 'training-1', userIds: [ana.id] })
  await inside((db) => scheduleReminders(db, event, before(3)))
  expect((await rowsOf(event)).map(({ user_id, recipient_role }) => user_id ?? recipient_role).sort()).toEqual(
    [ana.id, 'coordinator'].sort(),
  )
  await due(before(2))
  await fanOutDue(database)
  const inboxRows = await inside((db) =>
    db.selectFrom('notifications').selectAll().where('title', 'like', 'You lead a training%').execute(),
  )
  expect(inboxRows.map(({ user_id }) => user_id)).toEqual([coordinator.id])
})

test('a moved event is announced at its new time, even repeatedly; removed users get nothing', async () => {
  const event = session()
  await inside((db) => scheduleReminders(db, event, before(48)))
  await due(before(24))
  const later = { ...event, startsAt: new Date(start.getTime() + 72 * HOUR), userIds: [ana.id] }
  await inside((db) => moveReminders(db, later, before(20)))
  expect((await rowsOf(event)).map((row) => [row.user_id, row.status, row.scheduled_for])).toEqual(
    expect.arrayContaining([
      [ana.id, 'pending', new Date(start.getTime() + 48 * HOUR)],
      [ana.id, 'pending', new Date(start.getTime() + 70 * HOUR)],
      [ben.id, 'sent', before(24)],
      [ben.id, 'cancelled', before(2)],
    ]),
  )
  // Less than a day away: only future reminders.
  const sooner = { ...later, startsAt: before(10) }
  await inside((db) => moveReminders(db, sooner, before(20)))
  const rows = (await rowsOf(event)).filter(({ user_id }) => user_id === ana.id)
  expect(rows.map(({ status, scheduled_for }) => [status, scheduled_for])).toEqual([
    ['pending', before(12)],
    ['cancelled', new Date(start.getTime() + 48 * HOUR)],
  ])
})

test('a reminder already due when the event was moved is still sent, with the new time', async () => {
  const event = session({ userIds: [ana.id] })
  await inside((db) => scheduleReminders(db, event, before(48)))
  await inside((db) => moveReminders(db, { ...event, startsAt: before(1) }, before(23.95)))
  await due(before(23.9))
  const [sent] = await rowsOf(event)
  expect(sent).toMatchObject({ status: 'sent', data: { startsAt: before(1).toISOString() } })
})

test('a cancelled event sends no reminders, neither scheduled nor queued ones', async () => {
  const event = session()
  await inside((db) => scheduleReminders(db, event, before(48)))
  await due(before(24))
  await fanOutDue(database)
  // In the transaction of an administrator, who may not write messages.
  await withClaims(database, { as: 'user', userId: admin.id, role: 'admin' }, (db) => cancelReminders(db, event))
  expect(await statusesOf(event)).toEqual(['sent', 'sent', 'cancelled', 'cancelled'])
  const { rows } = await inside((db) =>
    sql<{ status: string }>`
      select m.status from messages m join announcements a on a.id = m.announcement_id
      join scheduled_notifications s on a.announcement_key like 'reminder ' || s.id || ' %'
      where s.event_id = ${event.eventId}`.execute(db),
  )
  expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  await due(before(1))
  expect(await statusesOf(event)).toEqual(['sent', 'sent', 'cancelled', 'cancelled'])
})

test('for a cancelled event a leased message is not recalled, but one with an expired lease is', async () => {
  const event = session()
  await inside((db) => scheduleReminders(db, event, before(48)))
  await due(before(24))
  await fanOutDue(database)
  const ofEvent = sql`announcement_id in (select a.id from announcements a join scheduled_notifications s
    on a.announcement_key like 'reminder ' || s.id || ' %' where s.event_id = ${event.eventId})`
  await inside((db) =>
    sql`update messages set leased_until = now() + make_interval(secs => case user_id when ${ana.id} then 20 else -1 end)
      where ${ofEvent}`.execute(db),
  )
  await inside((db) => cancelReminders(db, event))
  const { rows } = await inside((db) =>
    sql<{ user_id: string; status: string }>`select user_id, status from messages where ${ofEvent}`.execute(db),
  )
  expect(rows.map((row) => [row.user_id === ana.id, row.status]).toSorted()).toEqual([
    [false, 'cancelled'],
    [true, 'pending'],
  ])
})

test('a failing reminder is retried after ten minutes, three times, and then fails', async () => {
  const gone = await createTestUser(database, 'traveler')
  const event = session({ userIds: [gone.id] })
  await inside((db) => scheduleReminders(db, event, before(3)))
  await inside((db) =>
    db.updateTable('user_profiles').set({ profile_status: 'suspended' }).where('id', '=', gone.id).execute(),
  )
  const after = (minutes: number) => new Date(before(2).getTime() + minutes * 60_000)
  const state = async () => {
    const [row] = await rowsOf(event)
    return [row!.status, row!.retry_count, row!.scheduled_for]
  }
  await due(after(0))
  expect(await state()).toEqual(['pending', 1, after(10)])
  await due(after(5))
  expect(await state()).toEqual(['pending', 1, after(10)])
  await due(after(10))
  expect(await state()).toEqual(['pending', 2, after(20)])
  await due(after(20))
  expect(await state()).toEqual(['failed', 3, after(30)])
  expect((await rowsOf(event))[0]).toMatchObject({ error: 'This person cannot be reached on any channel' })
})

test('a late job reminds within the tolerance, and not of events that have begun', async () => {
  const event = session({ userIds: [ana.id] })
  await inside((db) => scheduleReminders(db, event, before(3)))
  await due(new Date(start.getTime() + 1))
  expect((await rowsOf(event))[0]).toMatchObject({
    status: 'failed',
    error: 'The event started before the reminder could be sent',
  })
})

test('two concurrent runs remind once', async () => {
  const event = session()
  await inside((db) => scheduleReminders(db, event, before(3)))
  const sent = await Promise.all([due(before(2)), due(before(2))])
  expect(sent[0]! + sent[1]!).toBe(2)
})

test('a changed rule applies to future reminders; it is validated, audited and for administrators only', async () => {
  const event = session({ startsAt: new Date(Date.now() + 100 * HOUR), userIds: [ana.id] })
  await inside((db) => scheduleReminders(db, event, new Date()))
  const cancelled = session({ startsAt: event.startsAt, userIds: [ana.id] })
  await inside((db) => scheduleReminders(db, cancelled, new Date()))
  await inside((db) => cancelReminders(db, cancelled))
  const existing = await ruleOf('pdos_session')
  for (const role of ROLES.filter((role) => role !== 'admin')) {
    const wrong = await createTestUser(database, role)
    expect((await rule('PUT', 'pdos_session', bodyOf(existing), wrong.as)).status).toBe(403)
    expect((await rule('GET', '', undefined, wrong.as)).status).toBe(403)
  }
  const wrong = {
    ...bodyOf(existing),
    reminder_offsets: [],
    delivery_methods: [],
    texts: { ...existing.texts, en: { title: '{{who}}', message: '' } },
  }
  expect((await rule('PUT', 'pdos_session', wrong)).answer.fields).toEqual({
    reminder_offsets: 'Enter a number of hours, such as 24',
    delivery_methods: 'Choose at least one channel',
    'texts.en.title': 'You can only use {{name}}, {{starts}} and {{place}} here',
    'texts.en.message': 'This field is required',
  })

  const hoursBefore = async (of: RemindedEvent) =>
    (await rowsOf(of))
      .filter(({ status }) => status === 'pending')
      .map((row) => Math.round((event.startsAt.getTime() - row.scheduled_for.getTime()) / HOUR))
  const { answer } = await rule('PUT', 'pdos_session', { ...bodyOf(existing), reminder_offsets: [2, 48, 48] })
  expect(answer.rule.reminder_offsets).toEqual([48, 2])
  expect(await hoursBefore(event)).toEqual([48, 2])
  await rule('PUT', 'pdos_session', { ...bodyOf(existing), enabled: false })
  expect(await hoursBefore(event)).toEqual([])
  const meanwhile = session({ startsAt: event.startsAt, userIds: [ben.id] })
  await inside((db) => scheduleReminders(db, meanwhile, new Date()))
  expect(await hoursBefore(meanwhile)).toEqual([])
  await rule('PUT', 'pdos_session', bodyOf(existing))
  expect(await hoursBefore(event)).toEqual([24, 2])
  expect(await hoursBefore(meanwhile)).toEqual([24, 2])
  expect(await hoursBefore(cancelled)).toEqual([])
  const stale = await rule('PUT', 'pdos_session', { ...bodyOf(existing), made_from: existing.updated_at })
  expect(stale.status).toBe(409)
  const { count } = await inside((db) =>
    db
      .selectFrom('audit_log')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('action', '=', 'reminder_rule.update')
      .where('actor_id', '=', admin.id)
      .executeTakeFirstOrThrow(),
  )
  expect(count).toBe(3)
})
