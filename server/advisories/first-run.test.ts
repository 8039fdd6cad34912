import { beforeEach, describe, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testApp } from '#server/testing/app.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { registerSources } from './sources.ts'

const database = await testDatabase()
const app = await testApp(database)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

async function get(path: string) {
  await app.readModel.catchUp()
  const response = await app.request(`http://portal.test${path}`)
  const text = await response.text()
  return { text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as any }
}
const ANSWERS = [
  '/api/public/travel-advisories',
  '/api/public/travel-advisories?country=Qatar',
  '/api/public/travel-advisories/statistics',
  '/api/public/ticker',
  '/api/public/countries?search=Qatar',
  '/api/public/countries/QA',
]
const readings = async () => {
  const { sources } = (await get('/api/public/travel-advisories/sources')).body
  return Object.fromEntries(sources.map(({ id, reading }: { id: string; reading: string }) => [id, reading]))
}

beforeEach(() => emptyTables(database))

describe('a newly installed portal that has read no source', () => {
  test.each(ANSWERS)('%s says that nothing is known yet', async (path) => {
    await inside(registerSources)
    expect((await get(path)).body.has_read_sources).toBe(false)
  })

  test('each source says whether it was not read yet, failed, is manual or is disabled', async () => {
    await inside(registerSources)
    await inside((db) =>
      db
        .updateTable('advisory_sources')
        .set({ error: 'RSS fetch failed', last_attempt_at: new Date() })
        .where('id', '=', 'uk-fcdo')
        .execute(),
    )
    expect(await readings()).toMatchObject({
      'us-state-rss': 'not_read',
      'uk-fcdo': 'failed',
      'ph-dfa': 'manual',
      'au-smartraveller': 'off',
    })
    const { sources } = (await get('/api/public/status')).body
    expect(sources.find(({ id }: { id: string }) => id === 'uk-fcdo').reading).toBe('failed')
  })

  test.each(['/countries/QA/feed.atom', '/travel-advisories/feed.atom'])(
    '%s says so instead of being empty',
    async (path) => {
      await inside(registerSources)
      expect((await get(path)).text).toContain('<subtitle>We have not read any source yet.')
    },
  )
})

describe('once a source was read', () => {
  test.each(ANSWERS)('%s treats an empty result as a finding', async (path) => {
    await inside((db) => insertSource(db, { id: 'us', last_success_at: new Date() }))
    expect((await get(path)).body.has_read_sources).toBe(true)
  })

  test('a copy that was read from a file counts, but is not confirmed', async () => {
    await inside((db) => insertSource(db, { id: 'us', captured_on: '2026-05-20' }))
    expect(await readings()).toEqual({ us: 'copy' })
    expect((await get('/api/public/countries/QA')).body.has_read_sources).toBe(true)
  })

  test('the ticker calls neither a copy, nor an old entry of a confirmed source, nor a disabled source confirmed', async () => {
    const add = (source: object, advisory: object) =>
      inside(async (db) => {
        const { id: source_id } = await insertSource(db, source)
        return insertAdvisory(db, { source_id, ...advisory })
      })
    const now = new Date()
    await add({ id: 'fresh', last_success_at: now }, { title: 'Peru: fresh' })
    await add({ id: 'entry', last_success_at: now }, { title: 'Peru: entry', captured_on: '2026-05-20' })
    await add({ id: 'copy', captured_on: '2026-05-20' }, { title: 'Peru: copy', captured_on: '2026-05-20' })
    await add({ id: 'off', last_success_at: now, is_enabled: false }, { title: 'Peru: off' })
    await add({ id: 'late', last_success_at: '2026-01-01T00:00:00Z' }, { title: 'Peru: late' })
    const { items } = (await get('/api/public/ticker')).body
    const confirmed = items.filter((item: { confirmed: boolean }) => item.confirmed)
    expect(items).toHaveLength(5)
    expect(confirmed.map(({ text }: { text: string }) => text)).toEqual(['Peru: fresh'])
  })
})

test.each([
  ['Qatar', false],
  ['qat', false],
  ['Qatarr', true],
  ['Xyzzyland', false],
])('the search for %s says whether it is only a guess: %s', async (search, is_guess) => {
  const { body } = await get(`/api/public/countries?search=${search}`)
  expect(body.is_guess).toBe(is_guess)
  if (is_guess) expect(body.countries.map(({ code }: { code: string }) => code)).toContain('QA')
})
