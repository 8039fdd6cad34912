import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Session } from '#server/http/session.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import type { AccountActionItem, AccountActionSummary } from '#shared/accounts/account-actions.ts'

const database = await testDatabase()
/** "local_servant <id> JP,SA": also names the scope of the role. */
const AS = 'x-test-as'
const app = await testApp(database, {
  readSession: (request, address): Session => {
    const [role, id, countries] = (request.headers.get(AS) ?? '').split(' ')
    const scope = countries ? { scope: { countries: countries.split(','), chapters: null } } : {}
    return { address, user: role && id ? { id, name: 'Test', role: role as never, ...scope } : null }
  },
})
async function call(by: string | null, method: string, path: string, body?: unknown) {
  const response = await app.request(`/api${path}`, {
    method,
    headers: { ...(by ? { [AS]: by } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, answer: (await response.json()) as any }
}
const work = <T>(fn: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', fn)

const admin = await createTestUser(database, 'admin')
const leah = await createTestUser(database, 'mfa_coordinator', {
  display_name: 'Leah Marasigan',
  scope_countries: ['JP'],
})
const japan = `${leah.as} JP`
const ben = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const pending = (country_code: string, more: object = {}) =>
  createTestUser(database, 'traveler', { profile_status: 'pending', country_code, ...more })
const run = (by: string, body: object) =>
  call(by, 'POST', '/accounts/actions', { request_key: randomUUID(), kind: 'verify', ...body })
const statusOf = async (...users: TestUser[]) => {
  const rows = await work((db) =>
    db
      .selectFrom('user_profiles')
      .select(['id', 'profile_status'])
      .where(
        'id',
        'in',
        users.map(({ id }) => id),
      )
      .execute(),
  )
  return users.map(({ id }) => rows.find((row) => row.id === id)?.profile_status)
}
const notificationsOf = async (who: TestUser) =>
  (
    await work((db) =>
      db
        .selectFrom('notifications')
        .select(['type', 'message'])
        .where('user_id', '=', who.id)
        .orderBy('created_at')
        .execute(),
    )
  ).map(({ type }) => type)
const mails = async (who: TestUser) =>
  (
    await work((db) =>
      db.selectFrom('messages').select('template').where('user_id', '=', who.id).orderBy('created_at').execute(),
    )
  ).map(({ template }) => template)
const auditOf = async (who: TestUser) =>
  (
    await work((db) =>
      db
        .selectFrom('audit_log')
        .select(['action', 'actor_id'])
        .where('subject_id', '=', who.id)
        .orderBy('id')
        .execute(),
    )
  ).map(({ action, actor_id }) => [action, actor_id])
const resultsOf = async (by: string, id: string): Promise<Record<string, string>> => {
  const { answer } = await call(by, 'GET', `/accounts/actions/${id}?per_page=200`)
  return Object.fromEntries((answer.items as AccountActionItem[]).map(({ user_id, result }) => [user_id, result]))
}
const stop = (address: string, reason: 'bounced' | 'opted_out') =>
  work((db) => db.insertInto('suppressions').values({ channel: 'email', address, reason }).execute())

// A test that counts "all that match" starts without the accounts of others.
beforeEach(() =>
  database.background.kysely
    .updateTable('user_profiles')
    .set({ profile_status: 'active' })
    .where('profile_status', '=', 'pending')
    .execute(),
)

test('many are verified at once, each with a result: done, already done, bounced, out of scope, unknown', async () => {
  const [ana, eva, bounced, elsewhere] = await Promise.all([pending('JP'), pending('JP'), pending('JP'), pending('ES')])
  const done = await createTestUser(database, 'traveler', { country_code: 'JP', verified_by: ben.id })
  await stop(bounced.email, 'bounced')
  const unknown = randomUUID()
  const ids = [ana, eva, bounced, elsewhere, done].map(({ id }) => id)
  const selection = { ids: [...ids, ana.id, unknown, leah.id] }
  const preview = (kind: string) => call(japan, 'POST', '/accounts/actions/preview', { kind, selection })
  expect((await preview('verify')).answer).toMatchObject({
    ...{ total: 7, count: 2, bounced: 1, others: 2, missing: 2 },
    signs: [
      { sign: 'email_confirmed', count: 2 },
      { sign: 'bounced', count: 1 },
    ],
  })
  expect((await preview('refuse')).answer).toMatchObject({ count: 3, bounced: 0 })
  const { status, answer } = await run(japan, { selection })
  expect(status).toBe(200)
  expect(answer).toMatchObject({
    kind: 'verify',
    results: { verified: 2, already_verified: 1, bounced: 1, own: 1 },
    missing: 2,
    can_undo: true,
  } satisfies Partial<AccountActionSummary>)
  expect(await statusOf(ana, eva, bounced, elsewhere)).toEqual(['active', 'active', 'pending', 'pending'])
  expect(await resultsOf(japan, answer.id)).toEqual({
    [ana.id]: 'verified',
    [eva.id]: 'verified',
    [bounced.id]: 'bounced',
    [done.id]: 'already_verified',
    [leah.id]: 'own',
  })
  // Each is notified once and audited under the actor; nobody else is notified.
  expect([await notificationsOf(ana), await mails(ana), await auditOf(ana)]).toEqual([
    ['account-verified'],
    ['account-verified'],
    [['user.verify', leah.id]],
  ])
  for (const who of [bounced, elsewhere, done])
    expect([await notificationsOf(who), await mails(who), await auditOf(who)]).toEqual([[], [], []])
})

test('a form sent twice, also concurrently, acts once', async () => {
  const ana = await pending('JP')
  const body = { request_key: randomUUID(), selection: { ids: [ana.id] } }
  const answers = await Promise.all([run(japan, body), run(japan, body), run(japan, body)])
  expect(new Set(answers.map(({ answer }) => answer.id)).size).toBe(1)
  expect(answers.map(({ answer }) => answer.results)).toEqual(Array(3).fill({ verified: 1 }))
  expect(await notificationsOf(ana)).toEqual(['account-verified'])
  // The key is the caller's own: another caller's same key is another action.
  const other = await run(`${ben.as} JP`, body)
  expect(other.answer.results).toEqual({ already_verified: 1 })
  expect(other.answer.id).not.toBe(answers[0]!.answer.id)
})

test('two coordinators at the same moment: one of them verifies each account, and the other sees who', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => pending('JP')))
  const ids = users.map(({ id }) => id)
  const [first, second] = await Promise.all([
    run(japan, { selection: { ids } }),
    run(`${ben.as} JP`, { selection: { ids: ids.toReversed() } }),
  ])
  const verified = [first, second].map(({ answer }) => answer.results.verified ?? 0)
  expect(verified[0] + verified[1]).toBe(8)
  for (const who of users) expect(await notificationsOf(who)).toEqual(['account-verified'])
  const [loser, by] = verified[0] === 0 ? [first, japan] : [second, `${ben.as} JP`]
  const { answer } = await call(by, 'GET', `/accounts/actions/${loser.answer.id}`)
  expect(answer.items.map((item: AccountActionItem) => item.result)).toEqual(Array(8).fill('already_verified'))
})

test('"all that match" is what the caller saw: another number is refused, and nothing is done', async () => {
  const [ana, eva] = await Promise.all([pending('JP'), pending('JP')])
  const spain = await pending('ES')
  const filter = { tab: 'new' }
  const preview = await call(japan, 'POST', '/accounts/actions/preview', { kind: 'verify', selection: { filter } })
  expect(preview.answer).toMatchObject({ total: 2, count: 2, others: 0, missing: 0 })
  const late = await pending('JP')
  const refused = await run(japan, { selection: { filter, count: 2 } })
  expect(refused).toMatchObject({ status: 409, answer: { code: 'count_changed' } })
  expect(refused.answer.error).toContain('3 accounts match now')
  expect(await statusOf(ana, eva, late)).toEqual(['pending', 'pending', 'pending'])
  expect(
    (await call(japan, 'GET', '/accounts/actions')).answer.actions.map((a: AccountActionSummary) => a.results),
  ).not.toContainEqual({})
  const { answer } = await run(japan, { selection: { filter, count: 3 } })
  expect(answer.results).toEqual({ verified: 3 })
  expect(await statusOf(ana, eva, late, spain)).toEqual(['active', 'active', 'active', 'pending'])
})

test("a request for a detail uses the coordinator's text, and the account stays waiting", async () => {
  const ana = await pending('JP')
  const empty = await run(japan, { kind: 'ask', message: ' ', selection: { ids: [ana.id] } })
  expect(empty.answer.fields).toEqual({ message: 'This field is required' })
  const question = 'Which church do you attend?'
  const { answer } = await run(japan, { kind: 'ask', message: question, selection: { ids: [ana.id] } })
  expect(answer).toMatchObject({ results: { asked: 1 }, can_undo: false })
  expect(await statusOf(ana)).toEqual(['pending'])
  const [mail] = await work((db) => db.selectFrom('messages').selectAll().where('user_id', '=', ana.id).execute())
  expect(mail).toMatchObject({ template: 'account-question', recipient: ana.email })
  expect(mail!.body_text).toContain(question)
  const list = await call(japan, 'GET', '/admin-operations/users?tab=new')
  expect(list.answer.users.find(({ id }: { id: string }) => id === ana.id).signs).toContain('asked')
  expect((await call(japan, 'POST', `/accounts/actions/${answer.id}/undo`)).answer.code).toBe('cannot_undo')
})

test('a refusal needs a reason, which the user reads, and is undone', async () => {
  const ana = await pending('JP')
  const selection = { ids: [ana.id] }
  expect((await run(japan, { kind: 'refuse', selection })).answer.fields).toEqual({ message: 'This field is required' })
  const { answer } = await run(japan, { kind: 'refuse', message: 'Two accounts', selection })
  expect(answer).toMatchObject({ results: { refused: 1 }, can_undo: true })
  expect(await statusOf(ana)).toEqual(['suspended'])
  const [mail] = await work((db) => db.selectFrom('messages').selectAll().where('user_id', '=', ana.id).execute())
  expect(mail!.body_text).toContain('Two accounts')
  const undone = await call(japan, 'POST', `/accounts/actions/${answer.id}/undo`)
  expect(undone.answer).toMatchObject({ undone: 1, changed_since: 0 })
  expect(await statusOf(ana)).toEqual(['pending'])
  expect(await auditOf(ana)).toEqual([
    ['user.refuse', leah.id],
    ['user.refuse_undone', leah.id],
  ])
  expect((await call(japan, 'POST', `/accounts/actions/${answer.id}/undo`)).answer.code).toBe('already_undone')
})

test('undoing a verification returns accounts to waiting unless they were changed since', async () => {
  const [ana, eva] = await Promise.all([pending('JP'), pending('JP')])
  const { answer } = await run(japan, { selection: { ids: [ana.id, eva.id] } })
  await call(admin.as, 'POST', `/admin-operations/users/${eva.id}/status`, {
    status: 'suspended',
    reason: 'Two accounts',
  })
  const undone = await call(japan, 'POST', `/accounts/actions/${answer.id}/undo`)
  expect(undone.answer).toMatchObject({ undone: 1, changed_since: 1 })
  expect(await statusOf(ana, eva)).toEqual(['pending', 'suspended'])
  expect(await notificationsOf(ana)).toEqual(['account-verified', 'status-changed'])
  const { answer: shown } = await call(japan, 'GET', `/accounts/actions/${answer.id}`)
  expect(shown.action).toMatchObject({ can_undo: false, undone_at: expect.any(String) })
})

test('an action belongs to its actor and the administrators: others neither read nor undo it', async () => {
  const ana = await pending('JP')
  const { answer } = await run(japan, { selection: { ids: [ana.id] } })
  for (const [method, path] of [
    ['GET', `/accounts/actions/${answer.id}`],
    ['POST', `/accounts/actions/${answer.id}/undo`],
  ] as const)
    expect([path, (await call(`${ben.as} JP`, method, path)).status]).toEqual([path, 404])
  expect(await statusOf(ana)).toEqual(['active'])
  // A coordinator who lost the country neither reads the names nor changes the accounts by an old action.
  const moved = await call(`${leah.as} ES`, 'GET', `/accounts/actions/${answer.id}`)
  expect(moved.answer.items).toMatchObject([{ user_id: ana.id, display_name: null }])
  expect((await call(admin.as, 'GET', `/accounts/actions/${answer.id}`)).answer.action).toMatchObject({
    actor_name: 'Leah Marasigan',
    is_own: false,
  })
  const undone = await call(`${leah.as} ES`, 'POST', `/accounts/actions/${answer.id}/undo`)
  expect(undone.answer).toMatchObject({ undone: 0, changed_since: 1 })
  expect(await statusOf(ana)).toEqual(['active'])
})

test('roles that verify nobody, and anonymous callers, are refused', async () => {
  const ana = await pending('JP')
  for (const role of ['traveler', 'member', 'coordinator'] as const) {
    const who = await createTestUser(database, role)
    for (const [method, path, body] of [
      ['POST', '/accounts/actions', { request_key: randomUUID(), kind: 'verify', selection: { ids: [ana.id] } }],
      ['POST', '/accounts/actions/preview', { kind: 'verify', selection: { ids: [ana.id] } }],
      ['GET', '/accounts/actions', undefined],
      ['GET', '/admin-operations/users', undefined],
      ['GET', `/admin-operations/users/${ana.id}`, undefined],
    ] as const)
      expect([role, path, (await call(who.as, method, path, body)).status]).toEqual([role, path, 403])
  }
  expect((await call(null, 'GET', '/accounts/actions')).status).toBe(401)
  expect(await statusOf(ana)).toEqual(['pending'])
  // A role that names no place reaches nobody.
  const idle = `${leah.as} XX`
  expect((await run(idle, { selection: { ids: [ana.id] } })).answer).toMatchObject({ results: {}, missing: 1 })
})

test('invalid input is refused with a readable message', async () => {
  const ids = Array.from({ length: 501 }, () => randomUUID())
  expect((await run(japan, { selection: { ids } })).status).toBe(422)
  expect((await run(japan, { selection: { ids: [] } })).status).toBe(422)
  expect((await run(japan, { selection: { ids: ['x'] } })).status).toBe(422)
  expect((await run(japan, { kind: 'delete', selection: { ids: [randomUUID()] } })).status).toBe(422)
  expect((await call(japan, 'GET', `/accounts/actions/${randomUUID()}`)).status).toBe(404)
})
