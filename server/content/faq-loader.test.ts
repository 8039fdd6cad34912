import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testDatabase } from '#server/testing/database.ts'
import { LANGUAGES } from '#shared/language.ts'
import { loadFaq, type ShippedFaqEntry, shippedFaq } from './faq-loader.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const entry = (slug: string, more: Partial<ShippedFaqEntry> = {}): ShippedFaqEntry => ({
  ...{ slug, category: 'portal', position: 10 },
  question: { en: `What is ${slug}?`, ar: `ما ${slug}؟` },
  answer: { en: 'An answer.', ar: 'جواب.' },
  ...more,
})
const start = (...entries: ShippedFaqEntry[]) => inside((db) => loadFaq(db, entries))
const all = () => inside((db) => db.selectFrom('faq_entries').selectAll().orderBy('slug').execute())
const answers = async () => Object.fromEntries((await all()).map(({ slug, answer }) => [slug, answer.en]))

beforeEach(async () => {
  await database.background.pool.query('truncate faq_entries, shipped_faq_entries')
})

test('every shipped entry is loaded once, and the next start writes nothing', async () => {
  await inside((db) => loadFaq(db))
  const loaded = await all()
  expect(loaded).toHaveLength((await shippedFaq()).length)
  await inside((db) => loadFaq(db))
  expect(await all()).toEqual(loaded)
})

test('every shipped entry is in every language', async () => {
  for (const { slug, question, answer } of await shippedFaq())
    for (const language of LANGUAGES) expect([slug, question[language], answer[language]]).not.toContain(undefined)
})

test('a deleted entry does not come back, with another text neither', async () => {
  await start(entry('aa'), entry('bb'))
  await inside((db) => db.deleteFrom('faq_entries').where('slug', '=', 'aa').execute())
  await start(entry('aa', { answer: { en: 'Better.', ar: 'أفضل.' } }), entry('bb'))
  expect(await answers()).toEqual({ bb: 'An answer.' })
})

test.each<[string, Parameters<typeof sql.raw>[0]]>([
  ['text', `answer = answer || '{"en": "Edited."}'`],
  ['category', `category = 'safety'`],
  ['place', `position = 90`],
  ['publication', `is_published = false`],
])('an entry whose %s was edited stays as it is', async (_, change) => {
  await start(entry('aa'))
  await inside((db) => sql`update faq_entries set ${sql.raw(change)}`.execute(db))
  const edited = await all()
  await start(entry('aa', { answer: { en: 'Better.', ar: 'أفضل.' }, position: 20 }))
  expect(await all()).toEqual(edited)
})

test('an entry that nobody edited follows the shipped text, again and again', async () => {
  await start(entry('aa'))
  for (const en of ['Second.', 'Third.']) {
    await start(entry('aa', { answer: { en, ar: 'جواب.' } }))
    expect(await answers()).toEqual({ aa: en })
  }
})

test('a question that an administrator wrote is not doubled, and does not stop the start', async () => {
  const own = { ...entry('own'), question: { en: 'WHAT IS AA?', ar: 'سؤال' } }
  const { question, answer } = own
  const texts = { question: JSON.stringify(question), answer: JSON.stringify(answer) }
  await inside((db) =>
    db
      .insertInto('faq_entries')
      .values({ ...own, ...texts })
      .execute(),
  )
  await start(entry('aa'), entry('bb'))
  await inside((db) => db.deleteFrom('faq_entries').where('slug', '=', 'own').execute())
  await start(entry('aa'), entry('bb'))
  expect(Object.keys(await answers())).toEqual(['bb'])
})

test('nodes that start together load each entry once, and none counts as edited', async () => {
  await Promise.all([start(entry('aa')), start(entry('aa'))])
  await start(entry('aa', { answer: { en: 'Better.', ar: 'أفضل.' } }))
  expect(await answers()).toEqual({ aa: 'Better.' })
})
