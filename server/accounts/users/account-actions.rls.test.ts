import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Claims, inBackground, withClaims } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import { ROLES } from '#shared/roles.ts'

// No handler in between: tests what the database allows if a check is forgotten.
const database = await testDatabase()
const leah = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const ben = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const ana = await createTestUser(database, 'traveler', { country_code: 'JP', profile_status: 'pending' })
const japan = { countries: ['JP'], chapters: null }
const as = (who: TestUser, role: string): Claims => ({
  as: 'user',
  userId: who.id,
  role: role as never,
  ...(role === 'admin' ? {} : { scope: japan }),
})
const newAction = (actor: TestUser) => ({ request_key: randomUUID(), kind: 'verify' as const, actor_id: actor.id })

const action = await inBackground(database, 'test', async (db) => {
  const made = await db.insertInto('account_actions').values(newAction(leah)).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('account_action_items')
    .values({ action_id: made.id, user_id: ana.id, result: 'verified' })
    .execute()
  return made.id
})
const seen = (claims: Claims) =>
  withClaims(database, claims, async (db) => [
    (await db.selectFrom('account_actions').select('id').where('id', '=', action).execute()).length,
    (await db.selectFrom('account_action_items').select('user_id').where('action_id', '=', action).execute()).length,
  ])

test('a bulk action and its results are read only by its actor and by administrators', async () => {
  expect(await seen(as(leah, 'mfa_coordinator'))).toEqual([1, 1])
  expect(await seen(as(ben, 'admin'))).toEqual([1, 1])
  for (const role of ROLES.filter((role) => role !== 'admin'))
    expect([role, await seen(as(ben, role))]).toEqual([role, [0, 0]])
  // A former coordinator loses their own actions with the role.
  expect(await seen(as(leah, 'traveler'))).toEqual([0, 0])
  await expect(seen({ as: 'anonymous' })).rejects.toMatchObject({ code: '42501' })
})

test("nobody writes an action in another's name, or adds to or removes one", async () => {
  const attempt = (claims: Claims, run: Parameters<typeof withClaims>[2]) => withClaims(database, claims, run)
  await expect(
    attempt(as(ben, 'mfa_coordinator'), (db) => db.insertInto('account_actions').values(newAction(leah)).execute()),
  ).rejects.toMatchObject({ code: '42501' })
  await expect(
    attempt(as(ben, 'mfa_coordinator'), (db) =>
      db
        .insertInto('account_action_items')
        .values({ action_id: action, user_id: ben.id, result: 'verified' })
        .execute(),
    ),
  ).rejects.toMatchObject({ code: '42501' })
  await expect(
    attempt(as(leah, 'mfa_coordinator'), (db) => db.deleteFrom('account_actions').execute()),
  ).rejects.toMatchObject({ code: '42501' })
  await expect(
    attempt(as(ana, 'traveler'), (db) => db.insertInto('account_actions').values(newAction(ana)).execute()),
  ).rejects.toMatchObject({ code: '42501' })
})

test('the signs of an account are shown to those who verify accounts', async () => {
  const signs = (claims: Claims) =>
    withClaims(
      database,
      claims,
      async (db) =>
        (
          await sql<{
            signs: string[]
          }>`select account_signs(p) as signs from user_profiles p where id = ${ana.id}`.execute(db)
        ).rows,
    )
  expect(await signs(as(leah, 'mfa_coordinator'))).toEqual([{ signs: ['email_confirmed'] }])
  expect(await signs(as(ana, 'traveler'))).toEqual([{ signs: [] }])
})
