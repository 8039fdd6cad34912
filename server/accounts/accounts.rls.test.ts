import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Scope } from '#server/db/claims.ts'
import { type Claims, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createSession, createTestUser, type TestUser } from '#server/testing/users.ts'
import { ROLES, type Role } from '#shared/roles.ts'

// No handler in between: tests what the database allows if a check is forgotten.
const database = await testDatabase()
const claims = (who: TestUser, role: Role, scope?: Scope): Claims => ({
  as: 'user',
  userId: who.id,
  role,
  ...(scope ? { scope } : {}),
})
const as = <T>(c: Claims, fn: (db: Db) => Promise<T>) => withClaims(database, c, fn)
const only = (...countries: string[]): Scope => ({ countries, chapters: null })
const refused = { code: '42501' }

const users = {
  inJapan: await createTestUser(database, 'traveler', { profile_status: 'pending', country_code: 'JP' }),
  toJapan: await createTestUser(database, 'member', {
    profile_status: 'pending',
    country_code: 'PH',
    countries: ['JP'],
  }),
  inSpain: await createTestUser(database, 'traveler', { profile_status: 'pending', country_code: 'ES' }),
  nowhere: await createTestUser(database, 'traveler', { profile_status: 'pending' }),
  erased: await createTestUser(database, 'traveler', { profile_status: 'deleted', country_code: 'JP' }),
  admin: await createTestUser(database, 'admin', { country_code: 'JP' }),
  second: await createTestUser(database, 'admin'),
  servant: await createTestUser(database, 'local_servant', { country_code: 'JP' }),
  mfa: await createTestUser(database, 'mfa_coordinator', { country_code: 'JP' }),
  group: await createTestUser(database, 'coordinator', { country_code: 'JP' }),
}
type Name = keyof typeof users
const nameOf = (id: string) => (Object.keys(users) as Name[]).find((name) => users[name].id === id)
const seenBy = async (c: Claims) =>
  (await as(c, (db) => db.selectFrom('user_profiles').select('id').execute())).map(({ id }) => nameOf(id)).sort()
const verify = (db: Db, who: TestUser) =>
  db
    .updateTable('user_profiles')
    .set({ profile_status: 'active', verified_at: new Date() })
    .where('id', '=', who.id)
    .executeTakeFirst()
const touched = async (c: Claims, fn: (db: Db) => Promise<{ numUpdatedRows: bigint }>) =>
  Number((await as(c, fn)).numUpdatedRows)
/** Rolls back every change, so that each row of a table starts from the same state. */
class Undo extends Error {}
const tried = async (c: Claims, fn: (db: Db) => Promise<{ numUpdatedRows: bigint }>) => {
  let rows = -1
  await as(c, async (db) => {
    rows = Number((await fn(db)).numUpdatedRows)
    throw new Undo()
  }).catch((error) => {
    if (!(error instanceof Undo)) throw error
  })
  return rows
}

test('a user sees only their own rows', async () => {
  for (const role of ['traveler', 'member', 'coordinator'] as const)
    expect(await seenBy(claims(users.inJapan, role))).toEqual(['inJapan'])
  expect(
    await as({ as: 'anonymous' }, (db) => db.selectFrom('user_profiles').select('id').execute()).catch((e) => e.code),
  ).toBe('42501')
})

test('a coordinator sees themselves and the travelers and members of their countries, never other coordinators', async () => {
  const everybody = ['inJapan', 'inSpain', 'mfa', 'nowhere', 'toJapan']
  expect(await seenBy(claims(users.mfa, 'mfa_coordinator'))).toEqual(everybody)
  expect(await seenBy(claims(users.mfa, 'mfa_coordinator', only('JP')))).toEqual(['inJapan', 'mfa', 'toJapan'])
  expect(await seenBy(claims(users.mfa, 'mfa_coordinator', only('ES', 'FR')))).toEqual(['inSpain', 'mfa'])
  expect(await seenBy(claims(users.mfa, 'mfa_coordinator', only()))).toEqual(['mfa'])
  const chapters = { countries: null, chapters: ['0b5f8f0e-0000-4000-8000-000000000000'] }
  expect(await seenBy(claims(users.mfa, 'mfa_coordinator', chapters))).toEqual(['mfa'])
})

test('an administrator sees everyone', async () => {
  expect(await seenBy(claims(users.admin, 'admin'))).toEqual(Object.keys(users).sort())
})

test.each<[string, Role, Scope | undefined, Name, number]>([
  ['of her country', 'mfa_coordinator', only('JP'), 'inJapan', 1],
  ['who travels to her country', 'local_servant', only('JP'), 'toJapan', 1],
  ['anywhere, without a limit', 'pdos_coordinator', undefined, 'inSpain', 1],
  ['of another country', 'mfa_coordinator', only('JP'), 'inSpain', 0],
  ['of no known country', 'mfa_coordinator', only('JP'), 'nowhere', 0],
  ['who is a coordinator', 'mfa_coordinator', undefined, 'servant', 0],
  ['who is an administrator', 'mfa_coordinator', undefined, 'admin', 0],
  ['who was erased', 'mfa_coordinator', only('JP'), 'erased', 0],
])('verifying a user %s, as %s', async (_, role, scope, name, rows) => {
  const who = role === 'local_servant' ? users.servant : users.mfa
  expect(await tried(claims(who, role, scope), (db) => verify(db, users[name]))).toBe(rows)
})

test('users who are not coordinators verify nobody', async () => {
  for (const role of ['traveler', 'member', 'coordinator'] as const)
    expect(await touched(claims(users.group, role), (db) => verify(db, users.inJapan))).toBe(0)
})

test.each([
  ['role', { role: 'admin' }],
  ['scope', { scope_countries: ['JP'] }],
  ['end of role', { role_ends_at: new Date() }],
  ['suspension', { profile_status: 'suspended' }],
  ['permissions', { permissions: ['all'] }],
  ['notes', { admin_notes: 'x' }],
  ['address', { email: 'mine@example.org' }],
  ['name', { display_name: 'x' }],
] as const)('a coordinator cannot change the %s of a user in their countries', async (_, values) => {
  const change = (db: Db) =>
    db
      .updateTable('user_profiles')
      .set(values as never)
      .where('id', '=', users.inJapan.id)
      .executeTakeFirst()
  await expect(as(claims(users.mfa, 'mfa_coordinator', only('JP')), change)).rejects.toMatchObject(refused)
})

test.each([
  ['role', { role: 'admin' }],
  ['scope', { scope_countries: ['IT'] }],
  ['reach', { scope_countries: null, scope_everywhere: true, scope_reason: 'Mine' }],
  ['end of role', { role_ends_at: null }],
  ['status', { profile_status: 'active' }],
  ['permissions', { permissions: ['all'] }],
  ['verification', { verified_at: new Date() }],
  ['notes', { admin_notes: 'x' }],
] as const)('only an administrator changes their own %s', async (_, values) => {
  await database.background.kysely
    .updateTable('user_profiles')
    .set({ scope_countries: ['JP'], scope_everywhere: false, scope_reason: null, role_ends_at: new Date('2099-01-01') })
    .where('id', '=', users.mfa.id)
    .execute()
  for (const [who, role] of [
    [users.inJapan, 'traveler'],
    [users.mfa, 'mfa_coordinator'],
  ] as const) {
    if (_ === 'status' && who === users.mfa) continue
    if (_ === 'end of role' && who === users.inJapan) continue
    const change = (db: Db) =>
      db
        .updateTable('user_profiles')
        .set(values as never)
        .where('id', '=', who.id)
        .executeTakeFirst()
    await expect(as(claims(who, role), change)).rejects.toMatchObject(refused)
  }
})

test('an administrator changes the role of others but not their own', async () => {
  const change = (who: TestUser) => (db: Db) =>
    db
      .updateTable('user_profiles')
      .set({ role: 'member', scope_everywhere: false, scope_reason: null })
      .where('id', '=', who.id)
      .executeTakeFirst()
  expect(await tried(claims(users.admin, 'admin'), change(users.servant))).toBe(1)
  await expect(as(claims(users.admin, 'admin'), change(users.admin))).rejects.toMatchObject(refused)
})

test('nobody can demote, suspend, time-limit or remove the last administrator', async () => {
  const kysely = database.background.kysely
  const last = { message: 'last_admin', code: '23514' }
  await kysely.updateTable('user_profiles').set({ role: 'member' }).where('id', '=', users.second.id).execute()
  const updateAdmin = kysely.updateTable('user_profiles').where('id', '=', users.admin.id)
  await expect(updateAdmin.set({ role: 'member' }).execute()).rejects.toMatchObject(last)
  await expect(updateAdmin.set({ profile_status: 'suspended' }).execute()).rejects.toMatchObject(last)
  await expect(updateAdmin.set({ role_ends_at: new Date('2099-01-01') }).execute()).rejects.toMatchObject(last)
  await expect(kysely.deleteFrom('user_profiles').where('id', '=', users.admin.id).execute()).rejects.toMatchObject(
    last,
  )
  await kysely.updateTable('user_profiles').set({ role: 'admin' }).where('id', '=', users.second.id).execute()
})

test('only administrators end the sessions of another user', async () => {
  await createSession(database, users.inSpain)
  const end = (db: Db) => sql<{ ended: number }>`select end_sessions(${users.inSpain.id}) as ended`.execute(db)
  for (const role of ROLES.filter((role) => role !== 'admin'))
    await expect(as(claims(users.mfa, role), end)).rejects.toMatchObject(refused)
  expect((await as(claims(users.admin, 'admin'), end)).rows).toEqual([{ ended: 1 }])
  await createSession(database, users.inSpain)
  expect((await as(claims(users.inSpain, 'traveler'), end)).rows).toEqual([{ ended: 1 }])
})

test('a notification is read by its recipient or group, and written by neither', async () => {
  await withClaims(database, { as: 'service', name: 'test' }, (db) =>
    db
      .insertInto('notifications')
      .values([
        {
          user_id: users.inJapan.id,
          recipient_role: null,
          type: 'x',
          title: 'own',
          message: '',
          action_url: null,
          event_key: null,
        },
        {
          user_id: null,
          recipient_role: 'coordinator',
          type: 'x',
          title: 'group',
          message: '',
          action_url: null,
          event_key: null,
        },
      ])
      .execute(),
  )
  const titles = async (c: Claims) =>
    (await as(c, (db) => db.selectFrom('notifications').select('title').orderBy('title').execute())).map((n) => n.title)
  expect(await titles(claims(users.inJapan, 'traveler'))).toEqual(['own'])
  expect(await titles(claims(users.inSpain, 'traveler'))).toEqual([])
  for (const role of ['mfa_coordinator', 'pdos_coordinator', 'local_servant', 'coordinator'] as const)
    expect(await titles(claims(users.group, role))).toEqual(['group'])
  const forge = (db: Db) =>
    db
      .insertInto('notifications')
      .values({
        user_id: users.inJapan.id,
        recipient_role: null,
        type: 'x',
        title: 'forged',
        message: '',
        action_url: null,
        event_key: null,
      })
      .execute()
  await expect(as(claims(users.mfa, 'mfa_coordinator'), forge)).rejects.toMatchObject(refused)
})

test('messages are read and written only by the portal itself', async () => {
  for (const role of ROLES) {
    await expect(
      as(claims(users.admin, role), (db) => db.selectFrom('messages').select('id').execute()),
    ).rejects.toMatchObject(refused)
  }
})
