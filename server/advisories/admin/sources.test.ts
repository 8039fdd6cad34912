import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { feedServer, usRss } from '#server/testing/feed-server.ts'
import { ADMIN, administration } from './testing.ts'

const { database, ask, audits, inside, publicTitles } = await administration()

const source = async (id: string) => (await ask('GET', `/admin/travel-advisories/sources/${id}`)).body.source

test('a source is switched off, fetched less often and expected to be shorter, and the audit log records it', async () => {
  await inside((db) => insertSource(db, { id: 'us', minimum_items: 150 }))
  const { made_from } = await source('us')
  const wanted = { is_enabled: false, interval_seconds: 3_600, minimum_items: 10 }
  const answer = await ask('PATCH', '/admin/travel-advisories/sources/us', { ...wanted, made_from })
  expect(answer.body.source).toMatchObject({ ...wanted, state: 'off', next_attempt_at: null })
  const shown = (await ask('GET', '/public/travel-advisories/sources', undefined, null)).body.sources
  expect(shown.find(({ id }: { id: string }) => id === 'us')).toMatchObject({ is_enabled: false, state: 'off' })
  expect(await audits()).toMatchObject([
    { action: 'source.edit', before: { is_enabled: true, minimum_items: 150 }, after: { is_enabled: false } },
  ])
  const late = await ask('PATCH', '/admin/travel-advisories/sources/us', { ...wanted, minimum_items: 1, made_from })
  expect([late.status, late.body.code]).toEqual([409, 'stale'])
})

test('a run in between does not make the source form stale', async () => {
  await inside((db) => insertSource(db, { id: 'us' }))
  const { made_from } = await source('us')
  await inside((db) => db.updateTable('advisory_sources').set({ last_success_at: new Date() }).execute())
  const answer = await ask('PATCH', '/admin/travel-advisories/sources/us', {
    ...{ is_enabled: true, interval_seconds: 600, minimum_items: 1, made_from },
  })
  expect(answer.status).toBe(200)
})

test.each([
  [{ interval_seconds: 59 }, 'interval_seconds'],
  [{ interval_seconds: 86_401 }, 'interval_seconds'],
  [{ minimum_items: -1 }, 'minimum_items'],
  [{ minimum_items: 1.5 }, 'minimum_items'],
  [{ url: 'http://evil.example/' }, 'url'],
])('%j is rejected for a source', async (more, field) => {
  await inside((db) => insertSource(db, { id: 'us' }))
  const { made_from } = await source('us')
  const answer = await ask('PATCH', '/admin/travel-advisories/sources/us', {
    ...{ is_enabled: true, interval_seconds: 600, minimum_items: 1, made_from, ...more },
  })
  expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]])
})

test('a manual fetch records a run with refused entries, unresolved names and the administrator', async () => {
  const feed = await feedServer({
    '/feed.xml': usRss([{ country: 'Japan' }, { country: 'Atlantis', level: 2 }, { country: 'Test' }]),
  })
  await inside((db) => insertSource(db, { id: 'us', url: `${feed.url}/feed.xml`, homepage: `${feed.url}/` }))
  const fetching = await testApp(database, {
    feeds: { database, log: createLog('silent'), publicUrl: 'http://portal.test', allowsPrivateFeeds: true },
  })
  const answer = await fetching.request('http://portal.test/api/travel-advisories/fetch', {
    method: 'POST',
    headers: { [AS]: ADMIN, origin: 'http://portal.test', 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'us' }),
  })
  const { stats } = (await answer.json()) as { stats: { added: number } }
  const { body } = await ask('GET', '/admin/travel-advisories/sources/us')
  expect(body.runs).toMatchObject([{ cause: 'manual', status: 'ok', added: stats.added }])
  expect(body.source.last_run).toMatchObject({ status: 'ok' })
  expect(body.unresolved).toEqual([{ item: expect.stringContaining('Atlantis'), name: 'Atlantis' }])
  expect((await audits()).at(-1)).toMatchObject({
    action: 'source.fetch',
    subject_id: 'us',
    actor_role: 'admin',
    after: { runs: [{ source: 'us', status: 'ok', error: null }] },
  })
})

test('a name is assigned to a country: its advisories are found under it at once, and the audit log names the administrator', async () => {
  await inside((db) =>
    insertAdvisory(db, {
      title: 'Republic of Hayastan: Caution',
      country_codes: [],
      affected_countries: ['Republic of Hayastani'],
      unresolved_countries: ['Republic of Hayastani'],
    }),
  )
  const { names } = (await ask('GET', '/admin/travel-advisories/unresolved')).body
  expect(names).toMatchObject([{ name: 'Republic of Hayastani', advisory_ids: [expect.any(String)] }])
  const answer = await ask('POST', '/admin/travel-advisories/unresolved', {
    name: 'Republic of Hayastani',
    country: 'Armenia',
  })
  expect(answer.body).toMatchObject({ country_code: 'AM', resolved: 1 })
  const found = await ask('GET', '/public/travel-advisories?country=AM', undefined, null)
  expect(found.body.advisories).toMatchObject([{ country_codes: ['AM'], unresolved_countries: [] }])
  expect((await ask('GET', '/admin/travel-advisories/unresolved')).body.names).toEqual([])
  expect(await audits()).toMatchObject([
    { action: 'countries.alias', subject_id: 'Republic of Hayastani', after: { country_code: 'AM', resolved: 1 } },
  ])
  const { aliases } = (await ask('GET', '/admin/travel-advisories/aliases')).body
  expect(aliases).toMatchObject([{ alias: 'Republic of Hayastani', country_code: 'AM' }])
  const alias = `/admin/travel-advisories/aliases/${encodeURIComponent('Republic of Hayastani')}`
  expect((await ask('DELETE', alias)).body).toMatchObject({ removed: true })
  expect((await ask('DELETE', alias)).status).toBe(404)
  expect(await publicTitles()).toHaveLength(1)
})

test('a name of another country, or an unknown country, is rejected', async () => {
  const resolve = (name: string, country: string) =>
    ask('POST', '/admin/travel-advisories/unresolved', { name, country })
  expect((await resolve('Japan', 'PE')).body.fields).toEqual({ name: 'Another country already has this name.' })
  expect((await resolve('Hayti', 'Atlantis')).body.fields).toEqual({
    country: 'We do not know this country. Check the spelling.',
  })
  expect((await resolve('...', 'PE')).status).toBe(422)
  expect(await audits()).toEqual([])
})

test('an unresolved name is listed with similar countries', async () => {
  await inside((db) => insertAdvisory(db, { unresolved_countries: ['Kingdom of Thailandia'], country_codes: [] }))
  const { names } = (await ask('GET', '/admin/travel-advisories/unresolved')).body
  expect(names[0].suggestions).toContainEqual({ code: 'TH', name: 'Thailand' })
})
