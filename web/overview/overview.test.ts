import { expect, test } from 'vitest'
import { overviewTiles } from './overview.ts'

const nothing = {
  new_accounts: { count: 0, oldest_at: null },
  failed_messages: { count: 0, oldest_at: null, email: 0, sms: 0 },
  open_cases: 0,
  unresolved_names: 0,
  church_care: { due: 0, messages: { count: 0, oldest_at: null }, corrections: { count: 0, oldest_at: null } },
  sources: [{ state: 'confirmed' }, { state: 'captured' }],
}

test('nothing to do has no tiles', () => {
  expect(overviewTiles(nothing)).toEqual([])
})

test('only what waits has a tile, and only people and messages without an answer are red', () => {
  const tiles = overviewTiles({
    new_accounts: { count: 9, oldest_at: '2026-01-01T00:00:00.000Z' },
    failed_messages: { count: 5, oldest_at: '2026-01-01T00:00:00.000Z', email: 2, sms: 2 },
    open_cases: 4,
    unresolved_names: 0,
    church_care: { ...nothing.church_care, due: 12, messages: { count: 3, oldest_at: '2026-01-01T00:00:00.000Z' } },
    sources: [{ state: 'not_confirmed' }, ...nothing.sources],
  })
  expect(tiles.map(({ key, count }) => [key, count])).toEqual([
    ['open_cases', 4],
    ['new_accounts', 9],
    ['failed_messages', 5],
    ['church_messages', 3],
    ['churches_due', 12],
    ['sources', 1],
  ])
  expect(tiles.filter(({ isBad }) => isBad).map(({ key }) => key)).toEqual([
    'open_cases',
    'failed_messages',
    'church_messages',
  ])
  expect(tiles.find(({ key }) => key === 'failed_messages')?.note?.values).toEqual({ email: 2, sms: 2, others: 1 })
  expect(tiles.find(({ key }) => key === 'sources')?.note?.values).toEqual({ total: 3 })
})
