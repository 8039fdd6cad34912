import { expect, test } from 'vitest'
import { ALARM_CAUSES, CALL_KINDS, type QueueRow, TASK_KINDS } from '#shared/overview/queue.ts'
import { accessOfPage } from '#shared/page-access.ts'
import { mayPass } from '#shared/roles.ts'
import { isolated } from '#web/lib/format.ts'
import { translator } from '#web/lib/i18n.tsx'
import ar from '../../public/locales/ar/queue.json' with { type: 'json' }
import en from '../../public/locales/en/queue.json' with { type: 'json' }
import { aboutOf, ageText, pathOf, type ShownRow, titleOf, verbOf } from './queue-text.ts'
import { splitNewRows } from './useNewRows.ts'

const t = { en: translator('en', 'queue', en), ar: translator('ar', 'queue', ar) }
const NOW = '2026-09-27T08:40:00.000Z'
const row = (kind: QueueRow['kind'], more: Partial<ShownRow> = {}): ShownRow => ({
  ...{ kind, id: 'an-id', user_id: 'a-user', name: 'مريم', about: 'CASE-1', cause: null, count: 3, figures: {} },
  ...{ country_code: 'JP', time_zone: 'Asia/Tokyo', words: null, since: NOW, last_at: null, place: 'Japan' },
  ...{ is_danger: false, is_late: false, owner_name: null, requested_name: null, is_mine: false, may_take: false },
  ...more,
})
const ROWS = [
  ...[...CALL_KINDS, ...TASK_KINDS].filter((kind) => kind !== 'alarm').map((kind) => row(kind)),
  ...ALARM_CAUSES.map((cause) => row('alarm', { cause })),
  ...[...CALL_KINDS, 'discretion' as const, 'announcement' as const, 'burst' as const].map((kind) =>
    row(kind, { name: null, about: null, place: null, figures: { messages: 2 } }),
  ),
]

test.each(['en', 'ar'] as const)('every row has a whole sentence and an action in %s', (language) => {
  for (const of of ROWS)
    for (const text of [titleOf(t[language], of), t[language](verbOf(of))]) {
      expect([of.kind, text]).toEqual([of.kind, expect.stringMatching(/\S/)])
      expect(text).not.toMatch(/\{\{|undefined|null|_/)
      expect(aboutOf(t[language], language, of)).not.toMatch(/\{\{|undefined|null/)
    }
})

test('every row leads to a page that its readers may open', () => {
  for (const of of ROWS) {
    const [path] = pathOf(of, false).split(/[?#]/)
    expect([path, mayPass(accessOfPage(path!), 'admin')]).toEqual([path, true])
  }
  for (const kind of [...CALL_KINDS, 'roll_call', 'burst', 'accounts', 'church_messages', 'churches_due'] as const) {
    const [path] = pathOf(row(kind), true).split(/[?#]/)
    expect([path, mayPass(accessOfPage(path!), 'local_servant')]).toEqual([path, true])
  }
})

test('names of either direction are isolated, and stay as they are', () => {
  expect(titleOf(t.en, row('help'))).toBe(`${isolated('مريم')} needs help`)
  expect(titleOf(t.ar, row('help', { name: 'Ana {{n}} <b>' }))).toContain(isolated('Ana {{n}} <b>'))
})

test('an age is short, and never negative', () => {
  const ages = { 0: 'now', 59: 'now', 60: '1 min', 1500: '25 min', 4200: '1 h 10', 7200: '2 h', 18600: '5 h' }
  for (const [seconds, text] of Object.entries(ages))
    expect(ageText(t.en, new Date(Date.parse(NOW) - Number(seconds) * 1000).toISOString(), NOW)).toBe(text)
  expect(ageText(t.en, '2026-09-26T08:40:00Z', NOW)).toBe('1 day')
  expect(ageText(t.ar, '2026-09-25T08:40:00Z', NOW)).toBe('يومان')
  expect(ageText(t.en, '2026-09-28T08:40:00Z', NOW)).toBe('now')
})

test('rows that arrive above others wait; those that come up from below are shown', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => row('case', { id }))
  const keys = (...rows: (ShownRow | undefined)[]) => new Set(rows.map((of) => `case ${of!.id} a-user`))
  const split = (rows: (ShownRow | undefined)[], known: ReadonlySet<string>) => {
    const { shown, newCount } = splitNewRows(rows as ShownRow[], known)
    return [shown.map(({ id }) => id).join(''), newCount]
  }
  expect(split([a, b, c], keys(a, b, c))).toEqual(['abc', 0])
  expect(split([d, a, b], keys(a, b, c))).toEqual(['ab', 1])
  expect(split([a, d, b], keys(a, b))).toEqual(['ab', 1])
  expect(split([b, c, d], keys(a, b, c))).toEqual(['bcd', 0])
  expect(split([c, d], keys(a, b))).toEqual(['cd', 0])
  expect(split([], keys(a))).toEqual(['', 0])
})
