import { beforeEach, expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { writeSetting } from '#server/settings/settings.ts'
import {
  accountApp,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  messagesTo,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { pruneAccounts } from '../retention.ts'

const database = await testDatabase()
const app = await accountApp(database, { trustedProxies: 1, pause: async () => {} }, { needsSecondStep: false })
const UNKNOWN_EMAIL = 'what-was-typed@example.org'

let made = 0
async function newAccount(role: 'traveler' | 'admin' | 'mfa_coordinator' = 'traveler') {
  made += 1
  const email = `${role}-${made}@example.org`
  await createPasswordAccount(database, { email, role })
  const { rows } = await database.requests.pool.query('select id, auth_user_id from user_profiles where email = $1', [
    email,
  ])
  return { email, id: rows[0].id as string, userId: rows[0].auth_user_id as string }
}
async function signedIn(role: 'traveler' | 'admin' | 'mfa_coordinator') {
  const { email } = await newAccount(role)
  const browser = createBrowser(app, { address: '203.0.113.1' })
  expect((await browser.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
  return browser
}
const fail = (email: string, address = '198.51.100.7') =>
  createBrowser(app, { address }).post('/auth/login', { email, password: 'my secret guess' })
const service = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

beforeEach(async () => {
  await database.requests.kysely.deleteFrom('rate_limits').execute()
  await database.requests.kysely.deleteFrom('sign_in_failures').execute()
})

test('administrators see each failure: method, reason, account and network; never the input', async () => {
  const admin = await signedIn('admin')
  const ana = await newAccount()
  for (const address of ['198.51.100.7', '198.51.100.8', '2001:db8:9:1::1']) await fail(ana.email, address)
  await fail(UNKNOWN_EMAIL)
  await createBrowser(app, { address: '198.51.100.7' }).post('/auth/verify', { type: 'magiclink', token: 'made-up' })
  const { status, body } = await admin.get('/admin-operations/sign-ins?days=7')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    total: 5,
    by_way: [
      { way: 'password', failures: 4 },
      { way: 'link', failures: 1 },
    ],
    by_reason: [
      { reason: 'wrong_secret', failures: 4 },
      { reason: 'unknown_name', failures: 1 },
    ],
    accounts: [{ id: ana.id, email: ana.email, failures: 3, networks: 2, can_get_mail: true }],
    networks: [
      { network: '198.51.100.0/24', failures: 4, accounts: 1 },
      { network: '2001:db8:9::/48', failures: 1, accounts: 1 },
    ],
  })
  const { rows } = await database.requests.pool.query('select * from sign_in_failures')
  expect(JSON.stringify([body, rows])).not.toMatch(/what-was-typed|my secret guess|198\.51\.100\.[78]/)
})

test('the user page shows administrators the number of failures, the last one and the number of networks', async () => {
  const admin = await signedIn('admin')
  const ana = await newAccount()
  const other = await newAccount()
  const failed = async (browser: typeof admin, { id }: { id: string }) => {
    const { status, body } = await browser.get(`/admin-operations/users/${id}`)
    expect(status).toBe(200)
    expect(JSON.stringify(body.user)).not.toMatch(/198\.51\.100|2001:db8/)
    return (body.user as { failed_sign_ins: unknown }).failed_sign_ins
  }
  expect(await failed(admin, ana)).toEqual({ count: 0, networks: 0, last_at: null })
  for (const address of ['198.51.100.7', '198.51.100.8', '2001:db8:9:1::1']) await fail(ana.email, address)
  await fail(other.email, '192.0.2.77')
  const { rows } = await database.requests.pool.query(
    'select max(at) as last_at from sign_in_failures where auth_user_id = $1',
    [ana.userId],
  )
  expect(await failed(admin, ana)).toEqual({ count: 3, networks: 2, last_at: rows[0].last_at.toISOString() })
  expect(await failed(admin, other)).toMatchObject({ count: 1, networks: 1 })
  // A coordinator sees the user, but nothing about their sign-ins.
  expect(await failed(await signedIn('mfa_coordinator'), ana)).toBeNull()
  await database.requests.pool.query(`update sign_in_failures set at = at - interval '31 days'`)
  expect(await failed(admin, ana)).toEqual({ count: 0, networks: 0, last_at: null })
})

test('refusals and wrong second steps are included', async () => {
  const admin = await signedIn('admin')
  for (let at = 0; at < 101; at += 10)
    await Promise.all(
      Array.from({ length: 10 }, () =>
        createBrowser(app, { address: '192.0.2.7' }).post('/auth/verify', { type: 'magiclink', token: 'made-up' }),
      ),
    )
  const { body } = await admin.get('/admin-operations/sign-ins')
  const reasons = body.by_reason as { reason: string; failures: number }[]
  expect(reasons.map(({ reason }) => reason).sort()).toEqual(['slowed', 'wrong_secret'])
})

test('only administrators see them or act on them', async () => {
  const ana = await newAccount()
  for (const role of ['traveler', 'mfa_coordinator'] as const) {
    const browser = await signedIn(role)
    expect((await browser.get('/admin-operations/sign-ins')).status).toBe(403)
    expect((await browser.post(`/admin-operations/users/${ana.id}/sign-in-link`)).status).toBe(403)
    expect((await browser.delete(`/admin-operations/users/${ana.id}/slow-down`)).status).toBe(403)
  }
  expect((await createBrowser(app).get('/admin-operations/sign-ins')).status).toBe(401)
  expect((await (await signedIn('admin')).get('/admin-operations/sign-ins?days=31')).status).toBe(422)
})

test('row-level security shows failures to administrators only, and the other sign-in records to no role', async () => {
  const ana = await newAccount()
  await fail(ana.email)
  const as = (role: 'admin' | 'traveler' | 'mfa_coordinator') =>
    withClaims(database, { as: 'user', userId: ana.id, role }, (db) =>
      db.selectFrom('sign_in_failures').select('count').execute(),
    )
  expect(await as('admin')).toHaveLength(1)
  for (const role of ['traveler', 'mfa_coordinator'] as const) expect(await as(role)).toEqual([])
  await expect(
    withClaims(database, { as: 'user', userId: ana.id, role: 'admin' }, (db) =>
      db.deleteFrom('sign_in_failures').execute(),
    ),
  ).rejects.toMatchObject({ code: '42501' })
  for (const table of ['auth_devices', 'auth_networks', 'auth_mails'] as const)
    for (const claims of [
      { as: 'user', userId: ana.id, role: 'admin' },
      { as: 'service', name: 'test' },
    ] as const)
      await expect(
        withClaims(database, claims, (db) => db.selectFrom(table).selectAll().execute()),
      ).rejects.toMatchObject({ code: '42501' })
  await expect(
    withClaims(database, { as: 'anonymous' }, (db) => db.selectFrom('sign_in_failures').selectAll().execute()),
  ).rejects.toMatchObject({ code: '42501' })
})

test('the audit log of an account records the first failure of an hour, and then one in ten', async () => {
  const ana = await newAccount()
  const auditLog = () =>
    service((db) =>
      db.selectFrom('audit_log').select(['action', 'actor_id', 'after']).where('subject_id', '=', ana.id).execute(),
    )
  for (let at = 0; at < 12; at++) await fail(ana.email)
  await expect.poll(async () => (await auditLog()).length).toBe(2)
  expect(await auditLog()).toMatchObject(
    [1, 10].map((failures_this_hour) => ({
      action: 'user.sign_in_failed',
      actor_id: null,
      after: { method: 'password', reason: 'wrong_secret', failures_this_hour },
    })),
  )
})

test('past a rate administrators are alerted in the inbox and by mail, once', async () => {
  const { email } = await newAccount('admin')
  await service(async (db) => {
    await writeSetting(db, 'accounts.failed_sign_ins_alarm', 6)
    await writeSetting(db, 'accounts.failed_sign_ins_of_account_alarm', 4)
  })
  const ana = await newAccount()
  const alarmed = await accountApp(database, { trustedProxies: 1, pause: async () => {} })
  for (let at = 0; at < 9; at++)
    await createBrowser(alarmed, { address: '198.51.100.9' }).post('/auth/login', { email: ana.email, password: 'no' })
  const alarms = () =>
    service((db) =>
      db
        .selectFrom('notifications')
        .select(['title', 'priority', 'action_url'])
        .where('type', '=', 'admin_alert')
        .where('title', 'ilike', '%failed sign-ins%')
        .orderBy('title')
        .execute(),
    )
  await expect.poll(async () => (await alarms()).length).toBe(2)
  expect(await alarms()).toEqual(
    ['Failed sign-ins for Ana Cruz', 'Many failed sign-ins'].map((title) => ({
      title,
      priority: 'urgent',
      action_url: '/admin/users/sign-ins',
    })),
  )
  const mails = (await messagesTo(database, email)).filter(({ template }) => template === 'admin-alert')
  expect(mails.map(({ subject }) => subject).sort()).toEqual(['Failed sign-ins for Ana Cruz', 'Many failed sign-ins'])
})

test('an administrator sends a sign-in link, and clears what slows an account down', async () => {
  const admin = await signedIn('admin')
  const ana = await newAccount()
  for (let at = 0; at < 3; at++) await fail(ana.email)
  const used = async () =>
    (await database.requests.kysely.selectFrom('rate_limits').select('used').where('used', '=', 3).execute()).length
  const before = await used()
  expect((await admin.delete(`/admin-operations/users/${ana.id}/slow-down`)).status).toBe(200)
  expect(await used()).toBe(before - 1)
  expect((await admin.post(`/admin-operations/users/${ana.id}/sign-in-link`)).status).toBe(202)
  const token = tokenIn(await lastMessage(database, ana.email, 'sign-in-link'))
  const browser = createBrowser(app, { address: '192.0.2.3' })
  expect((await browser.post('/auth/verify', { type: 'magiclink', token })).status).toBe(200)
  const actions = await service((db) =>
    db.selectFrom('audit_log').select('action').where('subject_id', '=', ana.id).execute(),
  )
  expect(actions.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['user.slow_down_cleared', 'user.sign_in_link']),
  )
  await service((db) =>
    db.updateTable('user_profiles').set({ profile_status: 'suspended' }).where('id', '=', ana.id).execute(),
  )
  expect((await admin.post(`/admin-operations/users/${ana.id}/sign-in-link`)).status).toBe(409)
  expect((await admin.post('/admin-operations/users/00000000-0000-4000-8000-000000000001/sign-in-link')).status).toBe(
    404,
  )
})

test('records end with the account, and after ninety days', async () => {
  const ana = await newAccount()
  await createBrowser(app, { address: '203.0.113.4' }).post('/auth/login', { email: ana.email, password: PASSWORD })
  await fail(ana.email)
  const left = async () => {
    const { rows } = await database.requests.pool.query(
      `select (select count(*)::int from sign_in_failures where auth_user_id = $1) as failures,
        (select count(*)::int from auth_devices where user_id = $1) as devices,
        (select count(*)::int from auth_networks where user_id = $1) as networks`,
      [ana.userId],
    )
    return rows[0]
  }
  expect(await left()).toEqual({ failures: 1, devices: 1, networks: 1 })
  await database.requests.pool.query(`update sign_in_failures set at = at - interval '91 days'`)
  await database.requests.pool.query(`update auth_networks set last_used_at = now() - interval '31 days'`)
  await pruneAccounts(database)
  expect(await left()).toEqual({ failures: 0, devices: 1, networks: 0 })
  await database.requests.pool.query('delete from auth_users where id = $1', [ana.userId])
  expect(await left()).toEqual({ failures: 0, devices: 0, networks: 0 })
})
