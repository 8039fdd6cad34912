import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Scope } from '#server/db/claims.ts'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createSession, createTestUser, type TestUser } from '#server/testing/users.ts'
import { ROLES, type Role } from '#shared/roles.ts'
import { createReadSession } from '../sessions.ts'
import { hashToken } from '../token-hash.ts'

const database = await testDatabase()
/** Sessions that just started, by user id: without one, a role change requires proof of identity first. */
const sessions = new Map<string, { id: string; authUserId: string }>()
const scopes = new Map<string, Scope>()
const app = await testApp(database, {
  readSession: (request, address) => {
    const [role, id] = (request.headers.get(AS) ?? '').split(' ')
    if (!role || !id) return { address, user: null }
    const scope = scopes.get(id)
    return { address, user: { id, name: 'Test', role: role as Role, ...(scope ? { scope } : {}) }, ...sessions.get(id) }
  },
})
/** The same user with a fresh session. */
async function fresh(who: TestUser): Promise<TestUser> {
  const token = await createSession(database, who)
  const session = await database.background.kysely
    .selectFrom('auth_sessions')
    .select('id')
    .where('token', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  sessions.set(who.id, { id: session.id, authUserId: who.authUserId })
  return who
}
const readSession = createReadSession({
  database,
  settings: { get: () => false } as never,
  isSecure: false,
  log: createLog('silent'),
})
const sessionOf = async (token: string) =>
  readSession(new Request('http://portal.test/', { headers: { authorization: `Bearer ${token}` } }), '')

async function call(by: TestUser | null, method: string, path: string, body?: unknown) {
  const response = await app.request(`/api${path}`, {
    method,
    headers: { ...(by ? { [AS]: by.as } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, answer: isJson ? JSON.parse(text) : text, headers: response.headers }
}
const profileOf = (id: string) =>
  database.background.kysely.selectFrom('user_profiles').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditOf = (id: string) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_id', '=', id).orderBy('id').execute(),
  )
const messagesFor = (id: string) =>
  inBackground(database, 'test', (db) => db.selectFrom('messages').selectAll().where('user_id', '=', id).execute())
const notificationsFor = (id: string) =>
  inBackground(database, 'test', (db) => db.selectFrom('notifications').selectAll().where('user_id', '=', id).execute())

const admin = await fresh(await createTestUser(database, 'admin'))

const ADDRESSES = (id: string): [string, string, unknown?][] => [
  ['GET', '/admin-operations/users?format=csv'],
  ['POST', '/admin-operations/users', { first_name: 'A', last_name: 'B', email: 'x@example.org' }],
  ['PUT', `/admin-operations/users/${id}`, { admin_notes: 'x' }],
  ['POST', `/admin-operations/users/${id}/role`, { role: 'admin' }],
  ['POST', `/admin-operations/users/${id}/role/preview`, { role: 'admin' }],
  ['POST', `/admin-operations/users/${id}/status`, { status: 'suspended', reason: 'x' }],
  ['POST', `/admin-operations/users/${id}/recover`],
  ['POST', `/admin-operations/users/${id}/sessions`],
  ['POST', `/admin-operations/users/${id}/stopped/clear`, { channel: 'sms', reason: 'x' }],
  ['GET', '/admin-operations/users/by-role/admin'],
  ['GET', '/admin-operations/roles'],
]

test('only an administrator reaches the accounts of others, and nothing is written', async () => {
  const target = await createTestUser(database, 'traveler')
  for (const role of ROLES.filter((role) => role !== 'admin')) {
    const other = await createTestUser(database, role)
    for (const [method, path, body] of ADDRESSES(target.id))
      expect([role, path, (await call(other, method, path, body)).status]).toEqual([role, path, 403])
  }
  for (const [method, path, body] of ADDRESSES(target.id))
    expect((await call(null, method, path, body)).status).toBe(401)
  expect(await profileOf(target.id)).toMatchObject({ role: 'traveler', profile_status: 'active', admin_notes: '' })
  expect(await auditOf(target.id)).toEqual([])
})

test('an id that is not a UUID is refused with a readable message', async () => {
  for (const [method, path, body] of ADDRESSES('abc').filter(([, path]) => path.includes('abc')))
    expect(await call(admin, method, path, body)).toMatchObject({
      status: 422,
      answer: { fields: { id: 'The id of a user is a UUID' } },
    })
  expect((await call(admin, 'GET', `/admin-operations/users/${randomUUID()}`)).status).toBe(404)
})

test('the list is searched, filtered, sorted, paged and exported', async () => {
  const mark = `Zaid${randomUUID().slice(0, 6)}`
  const first = await createTestUser(database, 'member', { display_name: `${mark} b 100%`, auth_provider: 'google' })
  const second = await createTestUser(database, 'local_servant', {
    display_name: `${mark} a`,
    profile_status: 'suspended',
  })
  const fresh = await createTestUser(database, 'traveler', { display_name: `${mark} c`, profile_status: 'pending' })
  const ids = async (query: string) => {
    const { answer } = await call(admin, 'GET', `/admin-operations/users?search=${mark}&${query}`)
    return (answer.users as { id: string }[]).map(({ id }) => id)
  }
  expect(await ids('sort=display_name')).toEqual([second.id, first.id, fresh.id])
  expect(await ids('sort=-created_at')).toEqual([fresh.id, second.id, first.id])
  expect(await ids('role=member')).toEqual([first.id])
  expect(await ids('status=suspended')).toEqual([second.id])
  expect(await ids('provider=google')).toEqual([first.id])
  expect(await ids('tab=new')).toEqual([fresh.id])
  expect(await ids('sort=display_name&per_page=1&page=2')).toEqual([first.id])
  const percent = await call(admin, 'GET', `/admin-operations/users?search=${encodeURIComponent(`${mark} b 100%`)}`)
  expect(percent.answer.total).toBe(1)
  const nul = await call(admin, 'GET', `/admin-operations/users?search=${mark}%00`)
  expect([200, 422]).toContain(nul.status)
  expect((await call(admin, 'GET', '/admin-operations/users?sort=password')).status).toBe(422)
  const saved = await call(admin, 'GET', `/admin-operations/users?search=${mark}&format=csv`)
  expect(saved.headers.get('content-type')).toContain('text/csv')
  expect(saved.answer.split('\r\n')).toHaveLength(5)
  const alias = await call(admin, 'GET', `/auth/admin/users?search=${mark}`)
  expect(alias.answer.total).toBe(3)
})

test('a changed role applies from the next request, is audited and notified', async () => {
  const target = await createTestUser(database, 'traveler', { preferred_language: 'ar' })
  const token = await createSession(database, target)
  expect((await sessionOf(token)).user?.role).toBe('traveler')
  const answer = await call(admin, 'POST', `/admin-operations/users/${target.id}/role`, {
    role: 'mfa_coordinator',
    scope_countries: ['SA', 'JP', 'SA'],
    role_ends_on: '2099-12-31',
    reason: 'Serves in Riyadh',
  })
  expect(answer.status).toBe(200)
  expect((await sessionOf(token)).user).toMatchObject({
    role: 'mfa_coordinator',
    scope: { countries: ['JP', 'SA'] },
  })
  expect(await auditOf(target.id)).toMatchObject([
    {
      actor_id: admin.id,
      action: 'user.role',
      before: { role: 'traveler', scope_countries: null, role_ends_at: null },
      after: { role: 'mfa_coordinator', scope_countries: ['JP', 'SA'], role_ends_at: '2099-12-31T23:59:59.000Z' },
      reason: 'Serves in Riyadh',
    },
  ])
  expect(await messagesFor(target.id)).toMatchObject([
    { template: 'role-changed', recipient: target.email, language: 'ar', status: 'pending' },
  ])
  const [notification] = await notificationsFor(target.id)
  expect(notification).toMatchObject({ type: 'role-changed', action_url: '/admin/coordinator' })
  expect(notification!.message).toContain('اليابان')
  // Repeating it changes nothing and notifies nobody.
  const again = { role: 'mfa_coordinator', scope_countries: ['JP', 'SA'], role_ends_on: '2099-12-31' }
  expect((await call(admin, 'POST', `/admin-operations/users/${target.id}/role`, again)).status).toBe(200)
  expect(await auditOf(target.id)).toHaveLength(1)
})

test.each([
  [{ role: 'king' }, 'role'],
  [{ role: 'admin', scope_countries: ['JP'] }, 'scope_countries'],
  [{ role: 'member', scope_countries: ['JP'] }, 'scope_countries'],
  [{ role: 'local_servant', scope_countries: [] }, 'scope_countries'],
  [{ role: 'local_servant' }, 'scope_countries'],
  [{ role: 'mfa_coordinator' }, 'scope_countries'],
  [{ role: 'pdos_coordinator', scope_reason: 'Head office' }, 'scope_countries'],
  [{ role: 'mfa_coordinator', scope_everywhere: true }, 'scope_reason'],
  [{ role: 'mfa_coordinator', scope_everywhere: true, scope_reason: '  ' }, 'scope_reason'],
  [
    { role: 'mfa_coordinator', scope_everywhere: true, scope_reason: 'Head office', scope_countries: ['JP'] },
    'scope_countries',
  ],
  [{ role: 'member', scope_everywhere: true, scope_reason: 'Head office' }, 'scope_countries'],
  [{ role: 'local_servant', scope_countries: ['QQ'] }, 'scope_countries'],
  [{ role: 'local_servant', scope_countries: ['JP'], role_ends_on: '2020-01-01' }, 'role_ends_on'],
  [{ role: 'local_servant', scope_countries: ['JP'], role_ends_on: '2026-02-31' }, 'role_ends_on'],
  [{ role: 'traveler', role_ends_on: '2099-01-01' }, 'role_ends_on'],
  [{ role: 'member', permissions: ['all'] }, 'permissions'],
])('the role %j is refused at its field', async (body, field) => {
  const target = await createTestUser(database, 'member')
  const { status, answer } = await call(admin, 'POST', `/admin-operations/users/${target.id}/role`, body)
  expect([status, Object.keys(answer.fields)]).toEqual([422, [field]])
  expect((await profileOf(target.id)).role).toBe('member')
})

test('a suspended user is signed out at once, with a reason, and returns by reactivation', async () => {
  const target = await createTestUser(database, 'traveler')
  const token = await createSession(database, target)
  const path = `/admin-operations/users/${target.id}/status`
  expect((await call(admin, 'POST', path, { status: 'suspended' })).answer.fields).toHaveProperty('reason')
  expect((await sessionOf(token)).user).not.toBeNull()
  expect((await call(admin, 'POST', path, { status: 'suspended', reason: 'Two accounts' })).answer.ended).toBe(1)
  expect((await sessionOf(token)).user).toBeNull()
  expect(await sessionOf(await createSession(database, target))).toMatchObject({ user: null, ended: 'suspended' })
  expect((await call(admin, 'POST', `/admin-operations/users/${target.id}/recover`)).status).toBe(409)
  await call(admin, 'POST', path, { status: 'active' })
  expect((await sessionOf(await createSession(database, target))).user?.role).toBe('traveler')
  expect((await auditOf(target.id)).map(({ action, reason }) => [action, reason])).toEqual([
    ['user.suspend', 'Two accounts'],
    ['user.reactivate', null],
  ])
  const messages = await messagesFor(target.id)
  expect(messages.map(({ template }) => template)).toEqual(['status-changed', 'status-changed'])
  expect(messages.some(({ body_text }) => body_text!.includes('Two accounts'))).toBe(true)
})

test('verifying a new account keeps its sessions, and notifies the user once', async () => {
  const target = await createTestUser(database, 'traveler', { profile_status: 'pending' })
  const token = await createSession(database, target)
  for (let times = 0; times < 2; times++)
    await call(admin, 'POST', `/admin-operations/users/${target.id}/status`, { status: 'active' })
  expect(await profileOf(target.id)).toMatchObject({ profile_status: 'active', verified_by: admin.id })
  expect((await sessionOf(token)).user).not.toBeNull()
  expect((await messagesFor(target.id)).map(({ template }) => template)).toEqual(['account-verified'])
  expect((await auditOf(target.id)).map(({ action }) => action)).toEqual(['user.verify'])
})

test('nobody changes their own role or status, and the last administrator stays', async () => {
  const own = `/admin-operations/users/${admin.id}`
  for (const [path, body] of [
    [`${own}/role`, { role: 'traveler' }],
    [`${own}/role`, { role: 'admin', role_ends_on: '2099-01-01' }],
    [`${own}/status`, { status: 'suspended', reason: 'x' }],
  ] as const)
    expect(await call(admin, 'POST', path, body)).toMatchObject({ status: 409, answer: { code: 'own_account' } })
  // A caller who claims to be an administrator but is none in the database: the trigger still keeps the last one.
  const stranger = { ...(await createTestUser(database, 'traveler')), id: randomUUID() }
  stranger.as = `admin ${stranger.id}`
  await fresh(stranger)
  for (const [path, body] of [
    [`${own}/role`, { role: 'traveler' }],
    [`${own}/role`, { role: 'admin', role_ends_on: '2099-01-01' }],
    [`${own}/status`, { status: 'suspended', reason: 'x' }],
  ] as const)
    expect(await call(stranger, 'POST', path, body)).toMatchObject({ status: 409, answer: { code: 'last_admin' } })
  expect(await profileOf(admin.id)).toMatchObject({ role: 'admin', profile_status: 'active', role_ends_at: null })
  expect(await auditOf(admin.id)).toEqual([])
})

test('of two administrators who demote each other at once, one stays', async () => {
  const [one, two] = [
    await fresh(await createTestUser(database, 'admin')),
    await fresh(await createTestUser(database, 'admin')),
  ]
  await database.background.kysely
    .updateTable('user_profiles')
    .set({ role: 'member' })
    .where('role', '=', 'admin')
    .where('id', 'not in', [one.id, two.id])
    .execute()
  const answers = await Promise.all([
    call(one, 'POST', `/admin-operations/users/${two.id}/role`, { role: 'member' }),
    call(two, 'POST', `/admin-operations/users/${one.id}/role`, { role: 'member' }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const roles = [(await profileOf(one.id)).role, (await profileOf(two.id)).role]
  expect(roles.sort()).toEqual(['admin', 'member'])
  await database.background.kysely
    .updateTable('user_profiles')
    .set({ role: 'admin' })
    .where('id', '=', admin.id)
    .execute()
})

test('an account made by an administrator gets a mail whose link sets the first password', async () => {
  const email = `new-${randomUUID().slice(0, 8)}@example.org`
  const input = { first_name: 'Mariam', last_name: 'Al-Khatib', email, role: 'local_servant', scope_countries: ['JO'] }
  const made = await call(admin, 'POST', '/admin-operations/users', input)
  expect(made.status).toBe(201)
  const { id } = made.answer
  expect(await profileOf(id)).toMatchObject({
    role: 'local_servant',
    scope_countries: ['JO'],
    profile_status: 'active',
    registration_method: 'admin_created',
  })
  expect(await auditOf(id)).toMatchObject([{ action: 'user.create', actor_id: admin.id, after: { email } }])
  expect((await notificationsFor(id)).map(({ type }) => type)).toEqual(['welcome'])
  const [mail] = await messagesFor(id)
  expect(mail).toMatchObject({ template: 'account-created', recipient: email, is_secret: true })
  const token = /token=([\w-]+)/.exec(mail!.body_text!)![1]
  const reset = (password: string) => call(null, 'POST', '/auth/reset', { token, password })
  expect((await reset('seven purple lanterns')).status).toBe(200)
  expect((await reset('eight purple lanterns')).status).toBe(400)
  const login = await call(null, 'POST', '/auth/login', { email, password: 'seven purple lanterns' })
  expect(login.answer.code).not.toBe('invalid_credentials')
  const twice = await call(admin, 'POST', '/admin-operations/users', input)
  expect(twice).toMatchObject({ status: 409, answer: { code: 'email_taken' } })
})

test('an account is not created when a related write fails', async () => {
  const email = `half-${randomUUID().slice(0, 8)}@example.org`
  const stranger = { ...admin, as: 'admin no-uuid' }
  const input = { first_name: 'Half', last_name: 'Made', email }
  expect((await call(stranger, 'POST', '/admin-operations/users', input)).status).toBe(500)
  const left = await database.background.kysely
    .selectFrom('auth_users')
    .where('email', '=', email)
    .select('id')
    .execute()
  expect(left).toEqual([])
})

test('a recovery mail is sent with its audit entry; never to a placeholder address', async () => {
  const target = await createTestUser(database, 'member')
  expect((await call(admin, 'POST', `/admin-operations/users/${target.id}/recover`)).status).toBe(202)
  const [mail] = await messagesFor(target.id)
  expect(mail).toMatchObject({ template: 'reset-password', recipient: target.email, is_secret: true })
  expect((await auditOf(target.id)).map(({ action }) => action)).toEqual(['user.recover'])
  const made = { email_verified: false, auth_provider: 'mcgi-hub' } as const
  const hub = await createTestUser(database, 'member', made)
  const refused = await call(admin, 'POST', `/admin-operations/users/${hub.id}/recover`)
  expect(refused).toMatchObject({ status: 409, answer: { code: 'no_address' } })
  await call(admin, 'POST', `/admin-operations/users/${hub.id}/role`, { role: 'coordinator' })
  expect(await messagesFor(hub.id)).toEqual([])
  expect(await notificationsFor(hub.id)).toHaveLength(1)
})

test('sessions are ended everywhere; notes and permissions are audited with their former values', async () => {
  const target = await createTestUser(database, 'member')
  await createSession(database, target)
  await createSession(database, target)
  const path = `/admin-operations/users/${target.id}`
  expect((await call(admin, 'GET', path)).answer.user).toMatchObject({
    sessions: 2,
    is_self: false,
    can_get_mail: true,
  })
  expect((await call(admin, 'POST', `${path}/sessions`)).answer.ended).toBe(2)
  await call(admin, 'PUT', path, { admin_notes: 'Met in Dubai', permissions: ['reports.read', 'a:b', 'reports.read'] })
  const { user, history } = (await call(admin, 'GET', path)).answer
  expect(user).toMatchObject({ admin_notes: 'Met in Dubai', permissions: ['a:b', 'reports.read'], sessions: 0 })
  expect(history).toMatchObject([
    {
      action: 'user.update',
      before: { admin_notes: '', permissions: [] },
      after: { admin_notes: 'Met in Dubai', permissions: ['a:b', 'reports.read'] },
    },
    { action: 'user.sessions', after: { ended: 2 } },
  ])
  expect((await call(admin, 'PUT', path, { role: 'admin' })).status).toBe(422)
  expect((await call(admin, 'PUT', path, { permissions: ['DROP TABLE'] })).status).toBe(422)
})

test('an erased account can no longer be changed', async () => {
  const target = await createTestUser(database, 'member', { profile_status: 'deleted' })
  for (const [path, body] of [
    ['role', { role: 'traveler' }],
    ['status', { status: 'active' }],
    ['recover', undefined],
    ['sessions', undefined],
  ] as const)
    expect((await call(admin, 'POST', `/admin-operations/users/${target.id}/${path}`, body)).status).toBe(409)
})

test('address and phone are visible to their owner and to administrators, not to coordinators', async () => {
  const target = await createTestUser(database, 'traveler', { phone_number: '+639171234567' })
  const path = `/admin-operations/users/${target.id}/profile`
  for (const who of [target, admin])
    expect((await call(who, 'GET', path)).answer).toMatchObject({ email: target.email, phone_number: '+639171234567' })
  const coordinator = await createTestUser(database, 'mfa_coordinator')
  for (const who of [coordinator, await createTestUser(database, 'traveler')])
    expect((await call(who, 'GET', path)).status).toBe(404)
  expect((await call(null, 'GET', path)).status).toBe(401)
})

test('roles are counted by who holds them today', async () => {
  const { answer: before } = await call(admin, 'GET', '/admin-operations/roles')
  await createTestUser(database, 'pdos_coordinator', { scope_countries: ['PH'] })
  await createTestUser(database, 'pdos_coordinator', { profile_status: 'suspended' })
  await createTestUser(database, 'pdos_coordinator', { role_ends_at: new Date('2020-01-01') })
  const { answer } = await call(admin, 'GET', '/admin-operations/roles')
  const of = (roles: { role: string; total: number; scoped: number }[]) =>
    roles.find(({ role }) => role === 'pdos_coordinator')!
  expect(of(answer.roles).total - of(before.roles).total).toBe(1)
  expect(of(answer.roles).scoped - of(before.roles).scoped).toBe(1)
  expect(answer.roles.map(({ role }: { role: string }) => role)).toEqual([...ROLES])
  const byRole = await call(admin, 'GET', '/admin-operations/users/by-role/pdos_coordinator')
  expect(byRole.answer.total).toBe(of(answer.roles).total)
})

test('a coordinator is limited to chapters, a traveler belongs to one, and unknown chapters are refused', async () => {
  const { id: chapter } = await database.background.kysely
    .insertInto('mfa_local_chapters')
    .values({ chapter_name: 'Chapter of Doha' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const coordinator = await createTestUser(database, 'mfa_coordinator')
  const role = (body: object) => call(admin, 'POST', `/admin-operations/users/${coordinator.id}/role`, body)
  expect((await role({ role: 'mfa_coordinator', scope_chapters: [chapter] })).status).toBe(200)
  const detail = (await call(admin, 'GET', `/admin-operations/users/${coordinator.id}`)).answer.user
  expect(detail).toMatchObject({
    scope_countries: null,
    scope_chapters: [chapter],
    chapters_covered: [{ id: chapter, chapter_name: 'Chapter of Doha' }],
  })
  expect((await notificationsFor(coordinator.id)).at(-1)!.message).toContain('Chapter of Doha')
  for (const body of [
    { role: 'local_servant', scope_chapters: [chapter] },
    { role: 'mfa_coordinator', scope_chapters: [randomUUID()] },
  ]) {
    const { status, answer } = await role(body)
    expect([status, Object.keys(answer.fields)]).toEqual([422, ['scope_chapters']])
  }
  const traveler = await createTestUser(database, 'traveler')
  const update = (chapter_id: string | null) =>
    call(admin, 'PUT', `/admin-operations/users/${traveler.id}`, { chapter_id })
  expect((await update(chapter)).status).toBe(200)
  expect((await call(traveler, 'GET', '/account/profile')).answer.chapter_name).toBe('Chapter of Doha')
  expect((await call(coordinator, 'GET', '/account/profile')).answer.chapter_name).toBeNull()
  expect((await update(randomUUID())).status).toBe(422)
  await update(null)
  expect((await call(traveler, 'GET', '/account/profile')).answer.chapter_name).toBeNull()
})

test('a suppressed number that failed is released by an administrator with a reason; one its owner stopped is not', async () => {
  const user = await createTestUser(database, 'traveler', { phone_number: '+639175553344' })
  const stop = (channel: 'sms' | 'whatsapp' | 'email', reason: 'invalid' | 'opted_out') =>
    inBackground(database, 'test', (db) =>
      db
        .insertInto('suppressions')
        .values({ channel, address: channel === 'email' ? user.email.toLowerCase() : '+639175553344', reason })
        .execute(),
    )
  await stop('sms', 'invalid')
  await stop('whatsapp', 'opted_out')
  const path = `/admin-operations/users/${user.id}`
  const suppressions = async () => (await call(admin, 'GET', path)).answer.user.stopped as { channel: string }[]
  expect(await suppressions()).toMatchObject([
    { channel: 'sms', reason: 'invalid' },
    { channel: 'whatsapp', reason: 'opted_out' },
  ])
  const clear = (body: object, by = admin) => call(by, 'POST', `${path}/stopped/clear`, body)
  // Neither their own coordinator nor the user may do it here, and a reason is required.
  const coordinator = await createTestUser(database, 'mfa_coordinator')
  for (const other of [coordinator, user])
    expect((await clear({ channel: 'sms', reason: 'It works' }, other)).status).toBe(403)
  expect(await clear({ channel: 'sms', reason: ' ' })).toMatchObject({
    status: 422,
    answer: { fields: { reason: 'This field is required' } },
  })
  expect(await suppressions()).toHaveLength(2)
  expect((await clear({ channel: 'sms', reason: 'Called her, it works' })).status).toBe(200)
  expect(await clear({ channel: 'whatsapp', reason: 'x' })).toMatchObject({
    status: 409,
    answer: { code: 'stopped_by_owner' },
  })
  expect((await clear({ channel: 'sms', reason: 'again' })).status).toBe(404)
  expect((await suppressions()).map(({ channel }) => channel)).toEqual(['whatsapp'])
  expect(await auditOf(user.id)).toMatchObject([
    {
      action: 'user.address_again',
      actor_id: admin.id,
      before: { stopped: { channel: 'sms', reason: 'invalid' } },
      reason: 'Called her, it works',
    },
  ])
})

test('a role everywhere needs a choice and a reason, which is in the notification and the audit log', async () => {
  const target = await createTestUser(database, 'member')
  const body = { role: 'mfa_coordinator', scope_everywhere: true, scope_reason: 'Night duty for all countries' }
  expect((await call(admin, 'POST', `/admin-operations/users/${target.id}/role`, body)).status).toBe(200)
  expect(await profileOf(target.id)).toMatchObject({ scope_everywhere: true, scope_reason: body.scope_reason })
  expect(await auditOf(target.id)).toMatchObject([
    { after: { scope_everywhere: true, scope_reason: body.scope_reason } },
  ])
  expect((await notificationsFor(target.id))[0]!.message).toContain('for all countries')
  const everywhere = await call(admin, 'GET', `/admin-operations/users?tab=everywhere&search=${target.email}`)
  expect(everywhere.answer.users).toMatchObject([{ id: target.id, scope_everywhere: true }])
  await call(admin, 'POST', `/admin-operations/users/${target.id}/role`, {
    role: 'local_servant',
    scope_countries: ['JP'],
  })
  expect(await profileOf(target.id)).toMatchObject({
    scope_everywhere: false,
    scope_reason: null,
    scope_countries: ['JP'],
  })
})

test('a role change needs fresh proof of identity: the password, where the session is old', async () => {
  const target = await createTestUser(database, 'member')
  const other = await fresh(await createTestUser(database, 'admin'))
  await database.background.kysely
    .updateTable('auth_sessions')
    .set({ created_at: new Date(Date.now() - 3_600_000), second_factor_at: new Date(Date.now() - 3_600_000) })
    .where('user_id', '=', other.authUserId)
    .execute()
  const path = `/admin-operations/users/${target.id}/role`
  const body = { role: 'local_servant', scope_countries: ['JP'] }
  expect(await call(other, 'POST', path, body)).toMatchObject({ status: 403, answer: { code: 'sign_in_again' } })
  expect((await call(other, 'POST', `${path}/preview`, body)).answer.is_fresh).toBe(false)
  const made = { first_name: 'A', last_name: 'B', email: `x-${randomUUID()}@example.org`, ...body }
  expect((await call(other, 'POST', '/admin-operations/users', made)).status).toBe(403)
  expect((await profileOf(target.id)).role).toBe('member')
  expect((await call(admin, 'POST', path, body)).status).toBe(200)
})

test('a role change is previewed from the rows that the user would see with it', async () => {
  const target = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['BT'] })
  for (const country_code of ['BT', 'BT', 'MV', 'MV', 'MV'])
    await createTestUser(database, 'traveler', { country_code })
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('mfa_local_chapters')
      .values({
        chapter_name: 'Malé',
        country_code: 'MV',
        contact_person: 'Desk',
        contact_phone: '+960 300 0000',
      } as never)
      .execute(),
  )
  const preview = async (body: object) =>
    (await call(admin, 'POST', `/admin-operations/users/${target.id}/role/preview`, body)).answer
  expect(await preview({ role: 'mfa_coordinator', scope_countries: ['BT', 'MV'] })).toMatchObject({
    adds: { members: 3, cases: 0, chapters: 1, churches: 0 },
    removes: { members: 0 },
    is_fresh: true,
  })
  expect(await preview({ role: 'mfa_coordinator', scope_countries: ['MV'] })).toMatchObject({
    adds: { members: 3, chapters: 1 },
    removes: { members: 2, chapters: 0 },
  })
  expect(await preview({ role: 'traveler' })).toMatchObject({ adds: { members: 0 }, removes: { members: 2 } })
  expect((await preview({ role: 'mfa_coordinator' })).fields).toHaveProperty('scope_countries')
  expect(await profileOf(target.id)).toMatchObject({ scope_countries: ['BT'] })
})

test('a coordinator opens users of their countries, and reads neither notes nor numbers nor sessions', async () => {
  const countries = ['BN']
  const coordinator = await createTestUser(database, 'mfa_coordinator', { scope_countries: countries })
  const inside = await createTestUser(database, 'traveler', {
    country_code: 'BN',
    profile_status: 'pending',
    admin_notes: 'A secret',
    phone_number: '+6738880000',
    permissions: ['export'],
  })
  await createSession(database, inside)
  const outside = await createTestUser(database, 'traveler', { country_code: 'TL' })
  scopes.set(coordinator.id, { countries, chapters: null })
  const { status, answer } = await call(coordinator, 'GET', `/admin-operations/users/${inside.id}`)
  expect(status).toBe(200)
  expect(answer.user).toMatchObject({
    email: inside.email,
    signs: expect.arrayContaining(['email_confirmed']),
    admin_notes: '',
    phone_number: null,
    permissions: [],
    sessions: 0,
    devices: [],
  })
  expect(answer.history).toEqual([])
  expect(JSON.stringify(answer)).not.toMatch(/A secret|6738880000/)
  for (const who of [outside, admin, await createTestUser(database, 'local_servant', { country_code: 'BN' })])
    expect((await call(coordinator, 'GET', `/admin-operations/users/${who.id}`)).status).toBe(404)
})
