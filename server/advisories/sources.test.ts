import { afterEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { readerOf, registerSources, SOURCES } from './sources.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const registered = () => inside((db) => db.selectFrom('advisory_sources').selectAll().orderBy('position').execute())

afterEach(() => emptyTables(database))

test('every source is registered with the attribution its advisories must show', async () => {
  await inside(registerSources)
  const sources = await registered()
  expect(sources.map(({ id }) => id)).toEqual([
    'ph-dfa',
    'us-state-rss',
    'us-state-json',
    'uk-fcdo',
    'ca-travel',
    'de-auswaertiges-amt',
    'gdacs',
    'au-smartraveller',
    'cap',
  ])
  for (const source of sources) {
    expect(source.licence).not.toBe('')
    expect(source.homepage).toMatch(/^https:/)
  }
})

test('registering again after an update preserves an administrator’s changes', async () => {
  await inside(registerSources)
  const edit = { is_enabled: false, interval_seconds: 900, url: 'https://travel.state.gov/moved.xml' }
  await inside((db) => db.updateTable('advisory_sources').set(edit).where('id', '=', 'us-state-rss').execute())
  await inside((db) => db.deleteFrom('advisory_sources').where('id', '=', 'gdacs').execute())
  await inside(registerSources)
  const sources = await registered()
  expect(sources).toHaveLength(SOURCES.length)
  expect(sources.find(({ id }) => id === 'us-state-rss')).toMatchObject(edit)
})

test.each(SOURCES.filter(({ reader }) => reader !== 'manual'))(
  '$id has a reader and an https address',
  async (source) => {
    expect(await readerOf(source)).toBeTypeOf('function')
    expect(source.url).toMatch(/^https:/)
  },
)

test('a manual source has no reader', async () => {
  await expect(readerOf({ id: 'ph-dfa', reader: 'manual' })).rejects.toThrow('people write its advisories')
})
