import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { FaqEntry } from '#shared/content/endpoints.ts'
import { type FaqRecord, LOST_PAPERS } from '#shared/content/faq.ts'
import { ROLES } from '#shared/roles.ts'

const database = await testDatabase()
const app = await testApp(database)
const call = createApiClient(app, 'admin/faq')
const callPublic = createApiClient(app, 'public/faq')
const { as: admin } = await createTestUser(database, 'admin')

let made = 0
const entry = (more: object = {}) => ({
  slug: `entry-${++made}`,
  category: 'portal',
  question: { en: `Question ${made}?`, ar: `سؤال ${made}؟` },
  answer: { en: 'An answer.', ar: 'جواب.' },
  ...more,
})
const post = (more: object = {}) => call(admin, 'POST', '', entry(more))
const create = async (more: object = {}) => (await post(more)).body.faq_entry as FaqRecord
const save = (id: string, body: object) => call(admin, 'PUT', `/${id}`, body)
const remove = (id: string, body: object = {}) => call(admin, 'DELETE', `/${id}`, body)
/** What visitors see at once: nothing waits for the read model. */
const published = async (query = ''): Promise<FaqEntry[]> => (await callPublic(null, 'GET', `?${query}`)).body.faq

beforeEach(async () => {
  await database.background.pool.query('delete from faq_entries')
  await app.readModel.catchUp()
})

test('only administrators read and change questions by the API', async () => {
  for (const role of [...ROLES, null]) {
    const { id } = await create()
    const as = role && `${role} ${randomUUID()}`
    const results = [
      await call(as, 'GET', ''),
      await call(as, 'GET', `/${id}`),
      await call(as, 'POST', '', entry()),
      await call(as, 'PUT', `/${id}`, { category: 'safety' }),
      await call(as, 'DELETE', `/${id}`),
    ].map(({ status }) => status)
    const refused = Array(5).fill(role ? 403 : 401)
    expect([role, results]).toEqual([role, role === 'admin' ? [200, 200, 201, 200, 200] : refused])
  }
})

test('so does the database: others see published questions only, and what was shipped not at all', async () => {
  const { id } = await create()
  await create({ is_published: false })
  for (const role of ROLES.filter((other) => other !== 'admin')) {
    const as = <T>(fn: (db: Db) => Promise<T>) => withClaims(database, { as: 'user', userId: randomUUID(), role }, fn)
    expect(await as((db) => db.selectFrom('faq_entries').select('id').execute())).toEqual([{ id }])
    const changed = await as((db) => db.updateTable('faq_entries').set({ position: 1 }).executeTakeFirst())
    const deleted = await as((db) => db.deleteFrom('faq_entries').executeTakeFirst())
    expect([changed.numUpdatedRows, deleted.numDeletedRows]).toEqual([0n, 0n])
    const { question, answer, ...own } = entry()
    const values = { ...own, question: JSON.stringify(question), answer: JSON.stringify(answer) }
    await expect(as((db) => db.insertInto('faq_entries').values(values).execute())).rejects.toMatchObject({
      code: '42501',
    })
    const shipped = as((db) => db.selectFrom('shipped_faq_entries').selectAll().execute())
    await expect(shipped).rejects.toMatchObject({ code: '42501' })
  }
})

test('visitors see what was saved, in the order of the categories and within each', async () => {
  const [second, first] = [await create({ category: 'safety' }), await create({ category: 'advisories', position: 70 })]
  const third = await create({ category: 'safety' })
  expect([second.position, third.position]).toEqual([10, 20])
  expect((await published()).map(({ slug }) => slug)).toEqual([first.slug, second.slug, third.slug])
  await save(third.id, { position: 5 })
  await save(second.id, { answer: { en: 'New **text**.', ar: 'نص جديد.' } })
  const { slug, category, question, updated_at } = (await call(admin, 'GET', `/${second.id}`)).body.faq_entry
  expect(await published()).toMatchObject([
    { slug: first.slug },
    { slug: third.slug },
    { slug, category, question: question.en, answer: '<p>New <strong>text</strong>.</p>', updated_at },
  ])
  expect((await published('lng=ar'))[2]).toMatchObject({ question: question.ar, answer: '<p>نص جديد.</p>' })
  await save(first.id, { is_published: false })
  await remove(second.id)
  expect((await published()).map(({ slug }) => slug)).toEqual([third.slug])
})

test('visitors who read Tagalog see a question in Tagalog, and in English where it is missing or empty', async () => {
  const question = { en: 'Lost?', ar: 'ضاع؟', tl: 'Nawala?' }
  await create({ position: 10, question, answer: { en: 'Call us.', ar: 'يُرجى الاتصال.', tl: 'Tawagan **kami**.' } })
  await create({ position: 20, question: { en: 'When?', ar: 'متى؟', tl: '' }, answer: { en: 'Soon.', ar: 'قريبًا.' } })
  expect(await published('lng=tl')).toMatchObject([
    { question: 'Nawala?', answer: '<p>Tawagan <strong>kami</strong>.</p>' },
    { question: 'When?', answer: '<p>Soon.</p>' },
  ])
  expect((await published('lng=en')).map((entry) => entry.question)).toEqual(['Lost?', 'When?'])
  expect((await published('lng=tl&search=tawagan')).map((entry) => entry.question)).toEqual(['Nawala?'])
  expect(await published('lng=en&search=tawagan')).toEqual([])
  expect((await post({ question: { en: 'English?', tl: 'Tagalog?' } })).status).toBe(422)
})

test('the list finds texts of every language, and filters by category and status', async () => {
  await create({ slug: 'visa', category: 'documents', question: { en: '100% sure?', ar: 'هل تأشيرتي سارية؟' } })
  await create({ slug: 'storm', is_published: false, answer: { en: 'Stay inside.', ar: 'البقاء في الداخل.' } })
  const found = async (query: Record<string, string>) =>
    (await call(admin, 'GET', `?${new URLSearchParams(query)}`)).body.faq_entries.map(({ slug }: FaqRecord) => slug)
  expect(await found({})).toEqual(['visa', 'storm'])
  for (const search of ['100%', 'تأشيرتي', 'VISA']) expect(await found({ search })).toEqual(['visa'])
  expect(await found({ search: 'البقاء' })).toEqual(['storm'])
  // Names of languages are not text.
  expect(await found({ search: '"en"' })).toEqual([])
  expect([await found({ category: 'portal' }), await found({ status: 'published' })]).toEqual([['storm'], ['visa']])
})

test('saving the same texts changes nothing, and a change of an older version is rejected', async () => {
  const { id, question, answer, updated_at } = await create()
  const again = await save(id, { question: { ar: question.ar, en: question.en }, answer, made_from: updated_at })
  expect(again.body.faq_entry.updated_at).toBe(updated_at)
  await save(id, { category: 'safety' })
  expect(await save(id, { category: 'church', made_from: updated_at })).toMatchObject({ status: 409 })
  expect(await remove(id, { made_from: updated_at })).toMatchObject({ status: 409, body: { code: 'stale' } })
})

test('the name in the link never changes, and a question that something links to is not deleted', async () => {
  const used = await create({ slug: LOST_PAPERS })
  expect(used.referenced_by).toBe('assistant')
  expect(await save(used.id, { slug: 'other' })).toMatchObject({ status: 422 })
  const target = await create({ slug: 'target' })
  const linked = await create({ slug: 'source', answer: { en: '[See](/travel-faq#target)', ar: 'جواب' } })
  const other = await create({ slug: 'targ' })
  for (const { id } of [used, target])
    expect(await remove(id)).toMatchObject({ status: 422, body: { code: 'faq_entry_in_use' } })
  expect((await remove(other.id)).status).toBe(200)
  await remove(linked.id)
  expect((await remove(target.id)).status).toBe(200)
  expect((await save(used.id, { is_published: false })).status).toBe(200)
})

test.each<[string, object]>([
  ['slug', { slug: 'Lost Passport' }],
  ['slug', { slug: 'taken' }],
  ['slug', { slug: 'safety' }],
  ['category', { category: 'money' }],
  ['position', { position: -1 }],
  ['question.en', { question: { en: 'IS THIS TAKEN?', ar: 'سؤال آخر' } }],
  ['question.ar', { question: { en: 'Another?', ar: 'سؤال محجوز' } }],
  ['answer.ar', { answer: { en: 'Text', ar: ' \n ' } }],
  ['answer.ar', { answer: { en: 'Text' } }],
  ['answer.en', { answer: { en: 'x'.repeat(100_000), ar: 'نص' } }],
  ['answer.en', { answer: { en: '[Click](javascript:alert(1))', ar: 'نص' } }],
  ['answer.en', { answer: { en: '[Click](//evil.example)', ar: 'نص' } }],
  ['answer.en', { answer: { en: '[Click]( <jAvAscript:alert(1)>)', ar: 'نص' } }],
  ['answer.tl', { answer: { en: 'Text', ar: 'نص', tl: 'x'.repeat(100_000) } }],
  ['answer.tl', { answer: { en: 'Text', ar: 'نص', tl: '[Click](javascript:alert(1))' } }],
  ['fr', { answer: { en: 'Text', ar: 'نص', fr: 'Réponse' } }],
])('an invalid %s is rejected at its field: %o', async (field, fields) => {
  await create({ slug: 'taken', question: { en: 'Is this taken?', ar: 'سؤال محجوز' } })
  const { status, body } = await post(fields)
  expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]])
  expect(body.fields[field]).not.toBe('Invalid input')
})
