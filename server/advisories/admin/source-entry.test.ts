import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { feedServer } from '#server/testing/feed-server.ts'
import { ROLES } from '#shared/roles.ts'
import { runSource } from '../feeds/run.ts'
import { ADMIN, administration } from './testing.ts'

const { database, ask, audits, inside, publicTitles } = await administration()

const PREVIEW = '/admin/travel-advisories/source-preview'
const SOURCES = '/admin/travel-advisories/sources'
const mapping = {
  ...{ list: 'list', country: 'country', level: 'level', text: 'why', link: '', date: '', id: '' },
  ...{ date_format: 'iso', language: 'en', is_whole_list: true },
  levels: [
    { value: 'low', severity: 'info' },
    { value: 'high', severity: 'critical' },
  ],
}
const reading = {
  reader: 'mapped-json',
  url: 'https://gov.example/list.json',
  homepage: 'https://gov.example/',
  mapping,
  minimum_items: 2,
}
const definition = {
  ...reading,
  ...{ name: 'Ruritania', organization: 'Ministry of Ruritania', country_code: 'PE', language: 'en' },
  ...{ licence: 'Public domain', licence_url: null, interval_seconds: 600, auto_notify: true },
}
const list = [
  { country: 'Qatar', level: 'high', why: 'Risk of war.' },
  { country: 'Peru', level: 'low', why: '' },
  { country: 'Atlantis', level: 'low', why: '' },
  { level: 'low' },
]
const preview = (more: object = {}, document: unknown = { list }) =>
  ask('POST', PREVIEW, { ...reading, ...(document ? { document: JSON.stringify(document) } : {}), ...more })
async function create(more: object = {}) {
  const { proof } = (await preview()).body
  return ask('POST', SOURCES, { ...definition, id: 'ruritania', proof, ...more })
}

describe('previewing a source', () => {
  test('lists the resulting advisories, refused entries and unknown names, and writes nothing', async () => {
    const { status, body } = await preview()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      problem: null,
      total: 3,
      refused: [{ reason: 'It has no country in "country"' }],
      unresolved: ['Atlantis'],
      levels: [
        { value: 'low', count: 3, severity: 'info' },
        { value: 'high', count: 1, severity: 'critical' },
      ],
      proof: expect.any(String),
    })
    expect(body.entries[0]).toMatchObject({
      title: 'Qatar: high',
      countries: ['Qatar'],
      severity_level: 'critical',
      advisory_type: 'security',
      description: 'Risk of war.',
    })
    expect(await publicTitles()).toEqual([])
    expect(await audits()).toEqual([])
  })

  test('an unmapped level is named and blocks saving', async () => {
    const { body } = await preview({}, { list: [...list, { country: 'Chad', level: 'evacuate' }] })
    expect(body).toMatchObject({ problem: 'Map every level first: "evacuate"', proof: null })
  })

  test('a list that is too short or empty is reported', async () => {
    expect((await preview({}, { list: [list[0]] })).body).toMatchObject({
      problem: 'It lists 1, fewer than the 2 that it must have',
      proof: null,
    })
    expect((await preview({}, { other: 1 })).body).toMatchObject({
      problem: 'There is no list at "list" in the document. Its fields are: other',
      proof: null,
    })
  })

  test('for a document of a known format, names the reader that accepts it', async () => {
    const document =
      '<rss version="2.0"><channel><item><title>Peru - Level 2: Exercise Increased Caution</title><link>https://travel.state.gov/peru.html</link><pubDate>Wed, 08 Oct 2025</pubDate><description>x</description></item></channel></rss>'
    expect((await ask('POST', PREVIEW, { ...reading, document })).body).toMatchObject({
      problem: expect.stringContaining('not JSON'),
      readers: expect.arrayContaining(['us-rss']),
    })
  })

  test('fetches the address when no document is supplied, but never a private address', async () => {
    const feed = await feedServer({ '/list.json': JSON.stringify({ list }) })
    const url = `${feed.url.replace('http:', 'https:')}/list.json`
    const app = async (allowsPrivateFeeds: boolean) =>
      testApp(database, {
        feeds: { database, log: createLog('silent'), publicUrl: 'http://portal.test', allowsPrivateFeeds },
      })
    const answer = await (await app(false)).request(`http://portal.test/api${PREVIEW}`, {
      method: 'POST',
      headers: { [AS]: ADMIN, origin: 'http://portal.test', 'content-type': 'application/json' },
      body: JSON.stringify({ ...reading, url }),
    })
    expect(await answer.json()).toMatchObject({ problem: 'RSS fetch failed: a private address', proof: null, total: 0 })
  })

  test.each([
    [{ url: 'http://gov.example/list.json' }, 'url'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ mapping: null }, 'mapping'],
    [{ reader: 'us-rss' }, 'mapping'],
    [{ mapping: { ...mapping, levels: [] } }, 'mapping.levels'],
    [{ mapping: { ...mapping, levels: [{ value: 'low', severity: 'unknown' }] } }, 'mapping.levels.0.severity'],
    [{ reader: 'manual' }, 'reader'],
  ])('%j is rejected with the field named', async (more, field) => {
    const answer = await preview(more)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]])
  })
})

describe('adding a source', () => {
  test('once previewed it is saved and read like any other source, and the audit log names the administrator', async () => {
    const answer = await create()
    expect(answer.status).toBe(201)
    expect(answer.body.source).toMatchObject({ id: 'ruritania', reading: 'not_read', in_force: 0, mapping })
    const shown = (await ask('GET', '/public/travel-advisories/sources', undefined, null)).body.sources
    expect(shown.map(({ id }: { id: string }) => id)).toContain('ruritania')
    expect(await audits()).toMatchObject([{ action: 'source.create', subject_id: 'ruritania', actor_role: 'admin' }])
  })

  test('its entries are imported with its mapping', async () => {
    await create()
    const feed = await feedServer({ '/list.json': JSON.stringify({ list }) })
    await inside((db) =>
      db
        .updateTable('advisory_sources')
        .set({ url: `${feed.url}/list.json`, homepage: `${feed.url}/` })
        .where('id', '=', 'ruritania')
        .execute(),
    )
    const deps = { database, log: createLog('silent'), publicUrl: 'http://portal.test', allowsPrivateFeeds: true }
    expect(await runSource(deps, 'ruritania', 'manual')).toMatchObject({ status: 'ok', fetchStats: { added: 3 } })
    expect(await publicTitles()).toEqual(['Qatar: high', expect.any(String), expect.any(String)])
    // Read again on another day, a list without dates is unchanged.
    await inside((db) => db.updateTable('advisory_sources').set({ content_hash: null }).execute())
    const tomorrow = { ...deps, now: () => new Date(Date.now() + 86_400_000) }
    expect(await runSource(tomorrow, 'ruritania', 'manual')).toMatchObject({ status: 'ok', fetchStats: { updated: 0 } })
  })

  test.each([
    ['no preview', { proof: 'x' }],
    ['another address than previewed', { url: 'https://other.example/list.json' }],
    ['another mapping than previewed', { mapping: { ...mapping, levels: [{ value: 'high', severity: 'info' }] } }],
    ['a lower minimum than previewed', { minimum_items: 0 }],
  ])('%s: nothing is saved', async (_, more) => {
    const answer = await create(more)
    expect([answer.status, answer.body.code]).toEqual([422, 'preview_first'])
    expect(await audits()).toEqual([])
  })

  test('an existing id is rejected with an error on its field', async () => {
    await create()
    const answer = await create()
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([409, ['id']])
  })
})

describe('changing a source', () => {
  test('needs a preview, is audited, and its document is read again', async () => {
    const { source } = (await create()).body
    await inside((db) => db.updateTable('advisory_sources').set({ etag: 'x', content_hash: 'x' }).execute())
    const { proof } = (await preview()).body
    const wanted = { ...definition, name: 'Kingdom of Ruritania', definition: source.definition, proof }
    const answer = await ask('PUT', `${SOURCES}/ruritania`, wanted)
    expect(answer.body.source).toMatchObject({ name: 'Kingdom of Ruritania' })
    const row = await inside((db) =>
      db.selectFrom('advisory_sources').selectAll().where('id', '=', 'ruritania').executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({ etag: null, content_hash: null, mapping })
    expect((await audits()).at(-1)).toMatchObject({ action: 'source.define', after: { name: 'Kingdom of Ruritania' } })
    const late = await ask('PUT', `${SOURCES}/ruritania`, wanted)
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
  })

  test('a manual source has nothing to read', async () => {
    const { proof } = (await preview()).body
    const answer = await ask('PUT', `${SOURCES}/ph-dfa`, { ...definition, definition: 'x', proof })
    expect([answer.status, answer.body.code]).toEqual([409, 'manual_source'])
  })
})

describe('removing a source', () => {
  const withAdvisories = async () => {
    await inside((db) => insertSource(db, { id: 'old' }))
    await inside((db) => insertAdvisory(db, { source_id: 'old', title: 'Peru: old', country_codes: ['PE'] }))
    await inside((db) => insertAdvisory(db, { source_id: 'old', title: 'Chad: old', auto_notify: true }))
  }
  const remove = (in_force: number, reason = 'It closed') => ask('DELETE', `${SOURCES}/old`, { in_force, reason })

  test('withdraws its advisories in force, keeps their history and sends no all-clear', async () => {
    await withAdvisories()
    expect((await remove(2)).body).toMatchObject({ removed: true, withdrawn: 2 })
    expect(await publicTitles()).toEqual([])
    const { timeline } = (await ask('GET', '/public/countries/PE', undefined, null)).body
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['withdrawn'])
    expect((await ask('GET', '/public/travel-advisories/sources', undefined, null)).body.sources).toHaveLength(1)
    expect(await inside((db) => db.selectFrom('announcements').selectAll().execute())).toEqual([])
    expect(await audits()).toMatchObject([{ action: 'source.remove', after: { withdrawn: 2, reason: 'It closed' } }])
  })

  test('is rejected when the confirmed count differs or the reason is missing', async () => {
    await withAdvisories()
    expect((await remove(1)).body).toMatchObject({ code: 'stale', error: expect.stringContaining('2 advisories') })
    expect(Object.keys((await remove(2, ' ')).body.fields)).toEqual(['reason'])
    expect(await publicTitles()).toHaveLength(2)
  })

  test('is final: the source is not read, switched on or removed again', async () => {
    await withAdvisories()
    const { source } = (await ask('GET', `${SOURCES}/old`)).body
    await remove(2)
    const patch = { is_enabled: true, interval_seconds: 600, minimum_items: 1, made_from: source.made_from }
    expect((await ask('PATCH', `${SOURCES}/old`, patch)).status).toBe(409)
    expect((await remove(0)).body.code).toBe('source_removed')
    const deps = { database, log: createLog('silent'), publicUrl: 'http://portal.test', allowsPrivateFeeds: true }
    expect(await runSource(deps, 'old', 'manual')).toMatchObject({ status: 'skipped' })
  })
})

test.each<[string, string, object]>([
  ['POST', PREVIEW, reading],
  ['POST', SOURCES, { ...definition, id: 'ruritania', proof: 'x' }],
  ['PUT', `${SOURCES}/ph-dfa`, { ...definition, definition: 'x', proof: 'x' }],
  ['DELETE', `${SOURCES}/ph-dfa`, { in_force: 0, reason: 'x' }],
])('%s %s is limited to administrators', async (method, path, body) => {
  expect((await ask(method, path, body, null)).status).toBe(401)
  for (const role of ROLES.filter((name) => name !== 'admin'))
    expect([role, (await ask(method, path, body, `${role} ${randomUUID()}`)).status]).toEqual([role, 403])
  expect(await audits()).toEqual([])
})
