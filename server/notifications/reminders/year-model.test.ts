import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { sendDueReminders } from './due-reminders.ts'
import { cancelReminders, moveReminders, type RemindedEvent, scheduleReminders } from './schedule.ts'

const database = await testDatabase()
const log = createLog('silent')
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

// Whole and fractional offsets, both hemispheres, zones whose rules changed and zones without daylight saving time.
const ZONES = [
  'Asia/Manila',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'America/Santiago',
  'Africa/Casablanca',
  'Asia/Riyadh',
  'Pacific/Chatham',
  'UTC',
]
const users = await Promise.all(ZONES.map((zone) => createTestUser(database, 'traveler', { time_zone: zone })))
const zoneOf = new Map(users.map(({ id }, at) => [id, ZONES[at]!]))

const MINUTE = 60_000
const TICK = 5 * MINUTE
const HOUR = 60 * MINUTE
const BEGIN = Date.parse('2027-01-01T00:00:00Z')
const YEAR = 365 * 24 * HOUR
const OFFSETS = [24, 2]

type Op = { at: number; action: 'create' | 'move' | 'cancel'; event: number; lead: number; users: number[] }
const ops = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: YEAR / MINUTE }).map((minute) => BEGIN + minute * MINUTE),
      action: fc.constantFrom(
        'create' as const,
        'create' as const,
        'move' as const,
        'move' as const,
        'cancel' as const,
      ),
      event: fc.integer({ min: 0, max: 7 }),
      // From an hour to three weeks ahead.
      lead: fc.integer({ min: 60, max: 21 * 24 * 60 }).map((minutes) => minutes * MINUTE),
      users: fc.uniqueArray(fc.integer({ min: 0, max: ZONES.length - 1 }), { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 20, maxLength: 45 },
  )
  .map((list) => list.sort((a, b) => a.at - b.at))

/** A model of the rules without a database: what is scheduled for whom and sent when. */
function expectation() {
  const planned = new Map<string, { due: number; start: number }>()
  const sent = new Map<string, number[]>()
  return {
    sent,
    plan(event: string, start: number, who: string[], now: number) {
      for (const userId of who)
        for (const offset of OFFSETS) {
          const key = `${event} ${userId} ${offset}`
          const due = start - offset * HOUR
          const existing = planned.get(key)
          if (due > now) {
            if (sent.get(key)?.at(-1) !== start) planned.set(key, { due, start })
          } else if (existing && existing.start !== start) {
            if (existing.due <= now) planned.set(key, { due: existing.due, start })
            else planned.delete(key)
          }
        }
    },
    leave(event: string, stays: (userId: string) => boolean) {
      for (const key of planned.keys()) {
        const [of, userId] = key.split(' ')
        if (of === event && !stays(userId!)) planned.delete(key)
      }
    },
    next: () => Math.min(...[...planned.values()].map(({ due }) => due)),
    tick(now: number) {
      for (const [key, { due, start }] of planned) {
        if (due > now) continue
        planned.delete(key)
        if (start > now) sent.set(key, [...(sent.get(key) ?? []), start])
      }
    },
  }
}

let years = 0
let reminded = 0

test('over a year in twelve zones no reminder is missed, duplicated, late or sent for a cancelled event', async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (actions: Op[]) => {
      const year = `year${++years}`
      const model = expectation()
      const events = new Map<number, RemindedEvent>()
      /** Runs the job at the next full five minutes, each time something is due. */
      const runUntil = async (until: number) => {
        for (;;) {
          const tick = Math.ceil(model.next() / TICK) * TICK
          if (!(tick <= until)) return
          model.tick(tick)
          await sendDueReminders({ database, log }, new Date(tick))
        }
      }
      for (const { at, action, event: n, lead, users: chosen } of actions) {
        await runUntil(at)
        const now = new Date(at)
        const existing = events.get(n)
        const isOver = !existing || existing.startsAt <= now
        if (action === 'cancel') {
          if (!existing) continue
          model.leave(existing.eventId, () => false)
          await inside((db) => cancelReminders(db, existing))
          events.delete(n)
          continue
        }
        if (action === 'move' && isOver) continue
        const event: RemindedEvent = {
          eventType: 'pdos_session',
          eventId: action === 'move' ? existing!.eventId : `${year}-${n}-${at}`,
          name: 'Session',
          startsAt: new Date(at + lead),
          place: 'Manila',
          userIds: chosen.map((index) => users[index]!.id),
          actionUrl: '/dashboard',
        }
        if (action === 'create' && !isOver) continue
        model.plan(event.eventId, at + lead, event.userIds, at)
        if (action === 'move') {
          model.leave(event.eventId, (userId) => event.userIds.includes(userId))
          await inside((db) => moveReminders(db, event, now))
        } else await inside((db) => scheduleReminders(db, event, now))
        events.set(n, event)
      }
      await runUntil(BEGIN + 2 * YEAR)

      const rows = await inside((db) =>
        db
          .selectFrom('scheduled_notifications')
          .select(['id', 'event_id', 'user_id', 'status', 'data', 'scheduled_for', 'sent_at'])
          .where('event_id', 'like', `${year}-%`)
          .execute(),
      )
      expect(rows.filter(({ status }) => status === 'pending' || status === 'failed')).toEqual([])
      const announcements = await inside((db) =>
        db
          .selectFrom('announcements')
          .select(['announcement_key', 'texts', 'status'])
          .where('announcement_key', 'like', 'reminder %')
          .execute(),
      )
      const byRow = Map.groupBy(announcements, (row) => row.announcement_key.split(' ')[1]!)
      const found = new Map<string, number[]>()
      for (const { id, event_id, user_id, data, sent_at, scheduled_for } of rows) {
        const announced = byRow.get(id) ?? []
        if (announced.length === 0) continue
        const starts = announced.map((row) => Date.parse(row.announcement_key.split(' ')[2]!))
        found.set(`${event_id} ${user_id} ${(data as { offset: number }).offset}`, starts)
        if (sent_at) expect(sent_at.getTime() - scheduled_for.getTime()).toBeLessThanOrEqual(TICK)
        const zone = zoneOf.get(user_id!)!
        for (const [at, { texts }] of announced.entries())
          expect(texts.en.message).toContain(`${clockIn(zone, starts[at]!)} (${zone})`)
      }
      const sorted = (of: Map<string, number[]>) =>
        [...of].map(([key, starts]) => [key, [...starts].sort()] as const).sort(([a], [b]) => (a < b ? -1 : 1))
      expect(sorted(found)).toEqual(sorted(model.sent))
      reminded += found.size
    }),
    { numRuns: 5 },
  )
  expect(reminded).toBeGreaterThan(20)
}, 300_000)

const clockIn = (zone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' })
