import { expect, test } from 'vitest'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createSession, createTestUser } from '#server/testing/users.ts'

const database = await testDatabase()
const app = await accountApp(database)
/** The same for everyone and cached as bytes: such a response does not depend on the caller. */
const SHARED = 'no-cache'

test.each(['traveler', 'admin'] as const)('no response to a %s is stored by a cache', async (role) => {
  const user = await createTestUser(database, role)
  let token = await createSession(database, user)
  const cached: string[] = []
  for (const endpoint of app.router.endpoints()) {
    const path = endpoint.path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const response = await app.request(`http://portal.test/api${path}`, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${token}` },
    })
    const control = response.headers.get('cache-control') ?? ''
    const isShared = endpoint.access === 'anyone' && endpoint.method === 'GET' && control === SHARED
    if (!isShared && !control.includes('no-store')) cached.push(`${endpoint.key} ${response.status} ${control}`)
    await response.body?.cancel()
    if (endpoint.method !== 'GET') token = await createSession(database, user)
  }
  expect(cached).toEqual([])
})

test.each(['/api/auth/user', '/api/no-such-endpoint', '/api/account/export'])('nor is a refusal: %s', async (path) => {
  expect((await app.request(path)).headers.get('cache-control')).toBe('no-store')
})
