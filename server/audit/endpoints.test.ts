import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { ROLES } from '#shared/roles.ts'
import { audit, changed } from './audit-log.ts'

const database = await testDatabase()
const app = await testApp(database)
const admin = await createTestUser(database, 'admin', { display_name: 'Ruth Salazar' })
const servant = await createTestUser(database, 'local_servant', { display_name: 'Omar Haddad' })
const by = { id: admin.id, role: 'admin' } as const

async function read(query: string, as = admin.as) {
  const response = await app.request(`/api/admin-operations/audit-log?${query}`, { headers: { [AS]: as } })
  const text = await response.text()
  return { status: response.status, answer: text.startsWith('{') ? JSON.parse(text) : text }
}
const entries = async (query: string) =>
  ((await read(query)).answer.entries as { action: string; subject_id: string }[]).map(
    ({ action, subject_id }) => `${action} ${subject_id}`,
  )

await inBackground(database, 'test', async (db) => {
  await audit(db, by, {
    action: 'user.role',
    subject_type: 'user',
    subject_id: 'a',
    before: { role: 'member' },
    after: { role: 'admin' },
  })
  await audit(
    db,
    { id: servant.id, role: 'local_servant' },
    { action: 'user.verify', subject_type: 'user', subject_id: 'b' },
  )
  await audit(db, null, {
    action: 'userless' as AuditAction,
    subject_type: 'setting',
    subject_id: 'brand',
    reason: '=cmd()',
  })
  await db
    .insertInto('audit_log')
    .values({
      at: new Date('2020-03-05T23:59:59Z'),
      actor_id: null,
      actor_role: 'service',
      action: 'old.action' as AuditAction,
      subject_type: 'x',
      subject_id: 'y',
      reason: null,
    })
    .execute()
})

test("the latest entries come first, with the actor's name", async () => {
  const { answer } = await read('')
  expect(answer.entries.map(({ action }: { action: string }) => action)).toEqual([
    'old.action',
    'userless',
    'user.verify',
    'user.role',
  ])
  expect(answer.entries[3]).toMatchObject({
    actor_name: 'Ruth Salazar',
    actor_role: 'admin',
    before: { role: 'member' },
    after: { role: 'admin' },
  })
  expect(answer).toMatchObject({ next: null, actions: ['old.action', 'user.role', 'user.verify', 'userless'] })
})

test.each([
  ['search=haddad', ['user.verify b']],
  ['search=ruth', ['user.role a']],
  [`search=${admin.id}`, ['user.role a']],
  ['search=zzz', []],
  ['action=user', ['user.verify b', 'user.role a']],
  ['action=user.role', ['user.role a']],
  ['action=_ser', []],
  ['subject=setting', ['userless brand']],
  ['subject=user:b', ['user.verify b']],
  ['since=2020-03-05&until=2020-03-05', ['old.action y']],
  ['until=2020-03-04', []],
  ['search=%25', []],
])('filtered by %s', async (query, found) => {
  expect(await entries(query)).toEqual(found)
})

test('pages continue after the id of the last entry, whatever is added in the meantime', async () => {
  const first = (await read('per_page=3')).answer
  expect(first.entries).toHaveLength(3)
  const second = (await read(`per_page=3&before_id=${first.next}`)).answer
  expect([second.entries[0].action, second.next]).toEqual(['user.role', null])
})

test('the downloaded table holds nothing that a spreadsheet would execute', async () => {
  const { answer } = await read('subject=setting&format=csv')
  expect(answer).toContain("'=cmd()")
  expect(answer.split('\r\n')).toHaveLength(3)
})

test('an invalid filter is refused, and only administrators read the log', async () => {
  for (const query of ['since=yesterday', 'action=%27--', 'before_id=0', 'nonsense=1'])
    expect((await read(query)).status).toBe(422)
  const backwards = await read('since=2026-03-05&until=2026-03-04')
  expect([backwards.status, backwards.answer.fields]).toEqual([422, { until: 'End must be after start' }])
  for (const role of ROLES.filter((role) => role !== 'admin'))
    expect((await read('', (await createTestUser(database, role)).as)).status).toBe(403)
})

test('only changed fields are recorded', () => {
  expect(changed({ a: 1, b: [1], c: 'x' }, { a: 2, b: [1], c: undefined })).toEqual({
    before: { a: 1 },
    after: { a: 2 },
  })
  expect(changed({ a: 1 }, { a: 1 })).toBeNull()
})

test('what differs does not depend on the order of keys, in which the database returns JSON', () => {
  const was = { title: { ar: 'سؤال', en: 'Question' }, days: [1, 2] }
  expect(changed(was, { title: { en: 'Question', ar: 'سؤال' }, days: [1, 2] })).toBeNull()
  expect(changed(was, { days: [2, 1] })).toEqual({ before: { days: [1, 2] }, after: { days: [2, 1] } })
})

test('an entry names its record and the people in it while they exist, and no deleted account', async () => {
  const gone = await createTestUser(database, 'member', { display_name: 'Deleted person' })
  const chapter = await inBackground(database, 'test', async (db) => {
    await audit(db, { id: gone.id, role: 'member' }, { action: 'user.flag', subject_type: 'user', subject_id: gone.id })
    await db.updateTable('user_profiles').set({ profile_status: 'deleted' }).where('id', '=', gone.id).execute()
    const { id } = await db
      .insertInto('mfa_local_chapters')
      .values({ chapter_name: 'Doha Chapter', country_code: 'QA' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(db, by, { action: 'chapter.update', subject_type: 'chapter', subject_id: id })
    await audit(db, by, {
      action: 'user.role',
      subject_type: 'user',
      subject_id: servant.id,
      after: { scope_chapters: [id], helper_id: gone.id, user_id: admin.id, taken_by: 'nobody' },
    })
    return id
  })
  const [role, update, flag] = (await read('per_page=3')).answer.entries
  expect(role).toMatchObject({ subject_name: 'Omar Haddad' })
  expect(role.names).toEqual({ [chapter]: 'Doha Chapter', [admin.id]: 'Ruth Salazar' })
  expect(update).toMatchObject({ subject_name: 'Doha Chapter', names: {} })
  expect(flag).toMatchObject({ actor_name: null, actor_id: gone.id, actor_role: 'member', subject_name: null })
  expect((await read('search=deleted')).answer.entries).toEqual([])
})

test('a search for a person finds what they did and what was done to their account', async () => {
  expect(await entries('search=haddad&until=2100-01-01')).toEqual([`user.role ${servant.id}`, 'user.verify b'])
})

test('days are those of the reader', async () => {
  // 23:59 UTC on the 5th is already the 6th in the reader's zone.
  const manila = await testApp(database, {
    readSession: (_, address) => ({
      address,
      user: { id: admin.id, name: 'Ruth Salazar', role: 'admin', timeZone: 'Asia/Manila' },
    }),
  })
  const on = async (day: string) => {
    const response = await manila.request(`/api/admin-operations/audit-log?since=${day}&until=${day}`)
    return ((await response.json()) as { entries: { action: string }[] }).entries.map(({ action }) => action)
  }
  expect([await on('2020-03-06'), await on('2020-03-05')]).toEqual([['old.action'], []])
})
