import { beforeEach, expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { feedServer } from '#server/testing/feed-server.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { KnowledgeChunk, KnowledgeSource } from '#shared/assistant/knowledge.ts'
import { ROLES } from '#shared/roles.ts'
import { pageOfText } from './chunks.ts'
import { writePage } from './page-import.ts'
import { rereadKnowledge } from './refresh.ts'

const database = await testDatabase()
const feeds = { database, log: createLog('silent'), publicUrl: 'http://portal.test', allowsPrivateFeeds: true }
const app = await testApp(database, { feeds })
const admin = await createTestUser(database, 'admin')
const inside = <T>(fn: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', fn)

beforeEach(async () => {
  await database.background.pool.query('delete from knowledge_sources')
})

const asAnyone = createApiClient(app)
const ask = <T = any>(method: string, path: string, body?: object, as = admin.as) => asAnyone<T>(as, method, path, body)
const ADMIN = 'admin/assistant/knowledge'
type Added = { source: KnowledgeSource; changed: boolean }
const add = (body: object, as = admin.as) => ask<Added>('POST', ADMIN, body, as)
const found = async (query: string) =>
  (await ask<{ chunks: KnowledgeChunk[] }>('POST', 'kb/search', { query })).body.chunks.map(({ content }) => content)
const TEXT = {
  page_url: 'https://owwa.gov.ph/help',
  content: '# Help abroad\n\nCall the welfare office of the embassy.',
}

/** A page as if it had been fetched from its address. */
const knownAt = (page_url: string, text: string) =>
  inside((db) =>
    writePage(db, {
      ...{ page_title: 'A page', page_url, language: 'en', origin: 'address', by: null },
      ...{ page: pageOfText(text), now: new Date('2026-01-01') },
    }),
  )
const sources = async () => (await ask<{ sources: KnowledgeSource[] }>('GET', ADMIN)).body.sources
test('pasted Markdown is split into chunks, can be quoted at once and is audited', async () => {
  expect(await add(TEXT)).toMatchObject({
    status: 201,
    body: {
      changed: true,
      source: { page_title: 'Help abroad', origin: 'markdown', pieces: 1, source_domain: 'owwa.gov.ph' },
    },
  })
  expect(await found('welfare office')).toEqual(['Call the welfare office of the embassy.'])
  expect((await add(TEXT)).body.changed).toBe(false)
  expect((await add({ ...TEXT, content: 'Plain words.' })).body).toMatchObject({
    changed: true,
    source: { origin: 'text' },
  })
  expect(await found('welfare office')).toEqual([])
})

test.each([
  ['https://elsewhere.example/page', 'This domain is not on the list of allowed domains'],
  ['https://gov.uk.elsewhere.example/page', 'This domain is not on the list of allowed domains'],
])('%s is not read, and nothing of it is stored', async (page_url, reason) => {
  expect(await add({ page_url })).toMatchObject({ status: 422, body: { fields: { page_url: reason } } })
  expect(await sources()).toEqual([])
})

test.each(['https://blog.example/owwa', 'https://owwa.gov.ph.blog.example/help', 'https://notowwa.gov.ph/help'])(
  'text cannot be pasted as the content of %s, which no administrator has allowed',
  async (page_url) => {
    expect(await add({ ...TEXT, page_url })).toMatchObject({
      status: 422,
      body: { fields: { page_url: 'This domain is not on the list of allowed domains' } },
    })
    expect(await sources()).toEqual([])
  },
)

test('pasted text is not fetched from its address', async () => {
  const { source } = (await add(TEXT)).body
  expect(await ask('POST', `${ADMIN}/${source.id}/reindex`)).toMatchObject({ status: 409 })
})

test('a page that cannot be read again keeps its content and shows why', async () => {
  const { id } = await knownAt('https://elsewhere.example/page', 'Renew your passport at the consulate.')
  expect(await ask('POST', `${ADMIN}/${id}/reindex`)).toMatchObject({
    status: 200,
    body: {
      changed: false,
      source: { failure: expect.stringContaining('domain'), checked_at: '2026-01-01T00:00:00.000Z' },
    },
  })
  expect(await found('passport')).toHaveLength(1)
})

test('pages are fetched again weekly: new content replaces the old, and a missing page keeps its content', async () => {
  const server = await feedServer({
    '/new': (_, response) =>
      void response.setHeader('content-type', 'text/html').end('<main><p>Now by appointment only.</p></main>'),
  })
  await knownAt(`${server.url}/new`, 'Come without an appointment.')
  await knownAt(`${server.url}/gone`, 'The consulate opens at nine.')
  await add(TEXT)
  expect(await rereadKnowledge(feeds, ['127.0.0.1'])).toEqual({ read: 1, failed: 1 })
  expect(await found('appointment')).toEqual(['Now by appointment only.'])
  expect(await found('consulate')).toEqual(['The consulate opens at nine.'])
  expect(await sources()).toMatchObject([
    { page_title: 'A page', failure: 'It answered 404', checked_at: '2026-01-01T00:00:00.000Z' },
    { page_title: 'A page', failure: null },
    { page_title: 'Help abroad' },
  ])
  expect(server.requests.toSorted()).toEqual(['/gone', '/new'])
})

test('a domain that is no longer allowed is not requested', async () => {
  const server = await feedServer({})
  await knownAt(`${server.url}/page`, 'Come without an appointment.')
  expect(await rereadKnowledge(feeds)).toEqual({ read: 0, failed: 1 })
  expect(server.requests).toEqual([])
})

test('a page is deleted with its chunks, and so are all pages of a domain', async () => {
  const { source } = (await add(TEXT)).body
  await add({ ...TEXT, page_url: 'https://www.owwa.gov.ph/other' })
  expect((await ask('DELETE', `${ADMIN}/${source.id}`)).status).toBe(200)
  expect((await ask('DELETE', `${ADMIN}/${source.id}`)).status).toBe(404)
  expect((await ask('DELETE', `${ADMIN}?source_domain=www.owwa.gov.ph`)).body).toMatchObject({ deleted: 1 })
  expect(await found('welfare')).toEqual([])
  const auditLog = await inside((db) =>
    db
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', 'knowledge.%')
      .orderBy('id', 'desc')
      .limit(2)
      .execute(),
  )
  expect(auditLog).toEqual([{ action: 'knowledge.delete' }, { action: 'knowledge.delete' }])
})

test.each(ROLES.filter((role) => role !== 'admin'))('a %s cannot manage pages, nor write their table', async (role) => {
  const user = await createTestUser(database, role)
  const { source } = (await add(TEXT)).body
  expect((await add(TEXT, user.as)).status).toBe(403)
  expect((await ask('GET', ADMIN, undefined, user.as)).status).toBe(403)
  expect((await ask('POST', `${ADMIN}/${source.id}/reindex`, undefined, user.as)).status).toBe(403)
  expect((await ask('DELETE', `${ADMIN}/${source.id}`, undefined, user.as)).status).toBe(403)
  expect((await ask('DELETE', `${ADMIN}?source_domain=owwa.gov.ph`, undefined, user.as)).status).toBe(403)
  const gone = await withClaims(database, { as: 'user', userId: user.id, role }, (db) =>
    db.deleteFrom('knowledge_sources').executeTakeFirst(),
  )
  expect(gone.numDeletedRows).toBe(0n)
})
