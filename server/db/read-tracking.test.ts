import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { noteRead, recordReads, withReadTracking } from './read-tracking.ts'

const model = withReadTracking({
  cachedTable: [{ table: 'advisories' }, { table: 'sources' }],
  offset: 1,
  list: (count: number) => Array.from({ length: count }, (_, i) => i),
  total() {
    return this.list(3).length
  },
})

test('a response knows the tables of every model it used, also after awaiting', async () => {
  const { made, reads } = await recordReads(async () => {
    await pause(1)
    noteRead('settings')
    await Promise.all([1, 2].map(async () => model.list(2)))
    return model.total()
  })
  expect(made).toBe(3)
  expect([...reads].sort()).toEqual(['advisories', 'settings', 'sources'])
})

test('two concurrent responses do not mix, and outside of one nothing is recorded', async () => {
  const make = (table: string) =>
    recordReads(async () => {
      await pause(1)
      noteRead(table)
    })
  const [a, b] = await Promise.all([make('a'), make('b')])
  expect([...a.reads, ...b.reads]).toEqual(['a', 'b'])
  expect(() => noteRead('c')).not.toThrow()
  expect(model.list(1)).toEqual([0])
})
