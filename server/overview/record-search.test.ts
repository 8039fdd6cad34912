import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { twoCountries } from '#server/testing/two-countries.ts'
import type { TestUser } from '#server/testing/users.ts'
import { withoutScope } from '#server/testing/walkers.ts'

const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })
const { admin, JP, IT, call } = await twoCountries(database, app)

async function found(who: TestUser, search: string) {
  const { status, body, text } = await call(who, 'GET', `/admin-operations/search?search=${encodeURIComponent(search)}`)
  expect(status, text).toBe(200)
  const groups = body.groups as { kind: string; total: number; rows: { title: string }[] }[]
  return { text, people: body.total_users as number, kinds: Object.fromEntries(groups.map((g) => [g.kind, g.total])) }
}

test('finds records of every kind that one may list, in one country only', async () => {
  const ofJapan = await found(JP.coordinator, 'only-jp')
  expect(ofJapan.kinds).toMatchObject({ cases: 2, churches: 1, chapters: 1, roll_calls: 1, announcements: 1 })
  expect(ofJapan.people).toBeGreaterThan(0)
  // A servant lists no chapters, and announcements of nobody else.
  const ofServant = await found(JP.servant, 'only-jp')
  expect(Object.keys(ofServant.kinds).toSorted()).toEqual(['cases', 'churches', 'roll_calls'])
})

test.each([
  ['a coordinator', JP.coordinator],
  ['a coordinator of a chapter', JP.byChapter],
  ['a PDOS coordinator', JP.pdos],
  ['a servant', JP.servant],
] as const)('%s finds nothing of another country, whatever it is searched by', async (_, who) => {
  for (const search of ['only-it', 'ONLY-IT', '+3930', 'it-desk@example.org', IT.church.id, '%%', '_'.repeat(3)])
    expect((await found(who, search)).text).not.toMatch(/only-it/i)
  expect(await found(who, 'only-it')).toMatchObject({ people: 0, kinds: {} })
})

test('totals are those of the lists', async () => {
  const { kinds, people } = await found(admin, 'only-')
  const total = async (path: string) => (await call(admin, 'GET', path)).body.total
  expect(kinds.churches).toBe(await total('/locales?search=only-'))
  expect(kinds.chapters).toBe(await total('/mfa/chapters?search=only-'))
  expect(kinds.announcements).toBe(await total('/admin-operations/announcements?search=only-'))
  expect(people).toBe(await total('/admin-operations/users?search=only-'))
})

test('a role without a scope finds nobody, and those without a role are refused', async () => {
  for (const role of ['mfa_coordinator', 'local_servant'] as const) {
    const { kinds, people } = await found(await withoutScope(database, role), 'only-')
    expect([kinds, people]).toEqual([{}, 0])
  }
  expect((await call(JP.member, 'GET', '/admin-operations/search?search=only-')).status).toBe(403)
})

test('an administrator finds advisories, questions, facts and modules; others do not', async () => {
  await inBackground(database, 'test', async (db) => {
    await insertAdvisory(db, { title: 'Xylophone strike' })
    await db
      .insertInto('pdos_modules')
      .values({ code: 'XYLO', title_en: 'Xylophone', title_ar: 'x', duration_minutes: 1 } as never)
      .execute()
    const texts = JSON.stringify({ en: 'Xylophone?', ar: 'x' })
    await db
      .insertInto('faq_entries')
      .values({ slug: 'xylophone', category: 'general', position: 1, question: texts, answer: texts } as never)
      .execute()
  })
  await app.readModel.catchUp()
  expect((await found(admin, 'XYLOPHONE')).kinds).toEqual({ advisories: 1, pdos_modules: 1, faq: 1 })
  expect((await found(JP.coordinator, 'xylophone')).kinds).toEqual({ pdos_modules: 1 })
})
