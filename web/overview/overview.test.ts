import { expect, test } from 'vitest'
import { isLate, overviewTiles, tasksOf } from './overview.ts'

const nothing = {
  new_accounts: { count: 0, oldest_at: null },
  failed_messages: { count: 0, oldest_at: null, email: 0, sms: 0 },
  unresolved_names: 0,
  expired_facts: 0,
  church_care: { due: 0, messages: { count: 0, oldest_at: null }, corrections: { count: 0, oldest_at: null } },
  backup: null,
  sources: [],
}
const germany = { id: 'de', name: 'Germany', not_confirmed_since: '2026-09-27T14:10:00.000Z' }

test('the longest waiting comes first, an unknown time last', () => {
  const tasks = tasksOf({
    ...nothing,
    new_accounts: { count: 4, oldest_at: '2026-09-21T08:00:00.000Z' },
    failed_messages: { count: 5, oldest_at: '2026-09-27T13:00:00.000Z', email: 2, sms: 3 },
    unresolved_names: 2,
    sources: [germany],
  })
  expect(tasks.map(({ key }) => key)).toEqual(['accounts', 'messages', 'source de', 'names'])
  expect(tasks.map(({ values }) => values)).toEqual([{ count: 4 }, { count: 5 }, { name: 'Germany' }, { count: 2 }])
})

test('expired facts are a task that links to them', () => {
  const [task] = tasksOf({ ...nothing, expired_facts: 7 })
  expect(task).toMatchObject({ key: 'facts', values: { count: 7 }, to: '/admin/assistant/facts?status=expired' })
})

test('a backup that is too old, or was never restored, is a task; a good one is none', () => {
  const tasks = (is_late: boolean, is_untested: boolean, last_at: string | null) =>
    tasksOf({ ...nothing, backup: { is_late, is_untested, last_at } }).map(({ label, since, to }) => [label, since, to])
  const at = '2026-09-26T04:00:00.000Z'
  expect(tasks(true, true, null)).toEqual([['task_no_backup', null, '/admin/data']])
  expect(tasks(true, false, at)).toEqual([['task_backup', at, '/admin/data']])
  expect(tasks(false, true, at)).toEqual([['task_restore', null, '/admin/data']])
  expect(tasks(false, false, at)).toEqual([])
})

test('no tasks when nothing is pending', () => {
  expect(tasksOf(nothing)).toEqual([])
})

test('a task is late only after its own limit, and never while the time is unknown', () => {
  const [task] = tasksOf({
    ...nothing,
    failed_messages: { count: 1, oldest_at: '2026-09-27T12:00:00.000Z', email: 1, sms: 0 },
  })
  const at = (time: string) => Date.parse(`2026-09-27T${time}Z`)
  expect(isLate(task!, at('13:00:00'))).toBe(false)
  expect(isLate(task!, at('13:00:01'))).toBe(true)
  expect(isLate(task!, null)).toBe(false)
  const [names] = tasksOf({ ...nothing, unresolved_names: 3 })
  expect(isLate(names!, at('23:59:59'))).toBe(false)
})

test('an unanswered message from a church visitor is a task, and late after two days', () => {
  const waiting = { count: 2, oldest_at: '2026-09-25T12:00:00.000Z' }
  const tasks = tasksOf({
    ...nothing,
    church_care: { due: 9, messages: waiting, corrections: { ...waiting, count: 1 } },
  })
  expect(tasks.map(({ key, values }) => [key, values.count])).toEqual([
    ['church_messages', 2],
    ['church_corrections', 1],
    ['churches_due', 9],
  ])
  expect(isLate(tasks[0]!, Date.parse('2026-09-27T13:00:00Z'))).toBe(true)
  expect(isLate(tasks[1]!, Date.parse('2026-09-27T13:00:00Z'))).toBe(false)
})

test('only undelivered or unanswered messages are red', () => {
  const tiles = overviewTiles({
    ...nothing,
    new_accounts: { count: 9, oldest_at: '2026-01-01T00:00:00.000Z' },
    failed_messages: { count: 5, oldest_at: '2026-01-01T00:00:00.000Z', email: 2, sms: 3 },
    church_care: { ...nothing.church_care, due: 12, messages: { count: 3, oldest_at: '2026-01-01T00:00:00.000Z' } },
    sources: [{ state: 'not_confirmed' }, { state: 'confirmed' }, { state: 'captured' }],
    urgent: 7,
    total: 300,
  })
  expect(tiles.filter(({ isBad }) => isBad).map(({ key }) => key)).toEqual(['failed_messages', 'church_messages'])
  expect(tiles.map(({ count }) => count)).toEqual([9, 5, 3, 0, 1, 0, 7, 300])
})
