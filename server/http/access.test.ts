import { describe, expect, test } from 'vitest'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createSession, createTestUser, type TestUser } from '#server/testing/users.ts'
import { mayPass, ROLES, type Role } from '#shared/roles.ts'

const database = await testDatabase()
const app = await accountApp(database)
const endpoints = app.router.endpoints()

/** The status with which an endpoint refuses the holder of a token, or null when it allows access. */
async function refusal(endpoint: (typeof endpoints)[number], token?: string) {
  const path = endpoint.path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
  const response = await app.request(`http://portal.test/api${path}`, {
    method: endpoint.method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  const isRefused = /"code":"(sign_in|no_session|session_expired|suspended|second_step|forbidden)"/.test(
    await response.text(),
  )
  return isRefused ? response.status : null
}

/** Calls every endpoint in turn, each with a new session where needed: calls that change something may end it. */
async function walk(make: () => Promise<string | undefined>, role: Role | null, isWaiting = false) {
  let token = await make()
  for (const endpoint of endpoints) {
    const expected = mayPass(endpoint.access, role, isWaiting) ? null : role === null ? 401 : 403
    expect([endpoint.key, await refusal(endpoint, token)]).toEqual([endpoint.key, expected])
    if (endpoint.method !== 'GET') token = await make()
  }
}

const withSession = (user: TestUser, more = {}) => ({
  session: () => createSession(database, user, more),
})

describe('every endpoint allows exactly the roles of its row in the access table', () => {
  test('anonymous', () => walk(async () => undefined, null))

  test.each(ROLES)('a signed-in %s', async (role) => {
    const { session } = withSession(await createTestUser(database, role))
    await walk(session, role)
  })

  test('an administrator whose session is over', async () => {
    const { session } = withSession(await createTestUser(database, 'admin'), {
      expires_at: new Date(Date.now() - 1_000),
    })
    await walk(session, null)
  })

  test.each(['suspended', 'deleted'] as const)('an administrator who is %s', async (profile_status) => {
    await createTestUser(database, 'admin')
    const { session } = withSession(await createTestUser(database, 'admin', { profile_status }))
    await walk(session, null)
  })

  test('an administrator whose role has ended is a traveler', async () => {
    const { session } = withSession(
      await createTestUser(database, 'admin', { role_ends_at: new Date(Date.now() - 1_000) }),
    )
    await walk(session, 'traveler')
  })

  test('an administrator who still owes the second step can only complete that step', async () => {
    const { session } = withSession(await createTestUser(database, 'admin'), { second_factor_at: null })
    await walk(session, null, true)
  })
})

test('a role granted or revoked applies from the next request of the same session', async () => {
  const user = await createTestUser(database, 'traveler')
  const token = await createSession(database, user)
  const users = endpoints.find(({ key }) => key === 'GET /admin-operations/users')!
  const become = (role: Role) =>
    database.background.kysely.updateTable('user_profiles').set({ role }).where('id', '=', user.id).execute()
  expect(await refusal(users, token)).toBe(403)
  await become('admin')
  expect(await refusal(users, token)).toBeNull()
  await become('traveler')
  expect(await refusal(users, token)).toBe(403)
})
