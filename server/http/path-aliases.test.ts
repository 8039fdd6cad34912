import { expect, test } from 'vitest'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import { addressesOf } from './path-aliases.ts'

const database = await testDatabase()
const app = await testApp(database)
const admin = await createTestUser(database, 'admin')
const traveler = await createTestUser(database, 'traveler')

async function ask(who: TestUser | null, path: string, method = 'GET', body?: string) {
  const headers: Record<string, string> = who ? { [AS]: who.as } : {}
  const response = await app.request(`http://portal.test/api${path}`, { method, headers, ...(body ? { body } : {}) })
  return { status: response.status, allow: response.headers.get('allow'), body: (await response.json()) as any }
}

const PATHS = [
  // TRANSPORT-13
  ['/admin/users', '/admin-operations/users'],
  ['/admin/travel-advisories', '/admin/travel-advisories'],
  ['/internal/admin/users', '/admin-operations/users'],
  ['/internal/admin/travel-advisories', '/admin/travel-advisories'],
  ['/internal/traveler/roles', '/admin-operations/roles'],
  // TRANSPORT-14
  ['/mfa/chapters', '/mfa/chapters'],
  ['/internal/mfa/chapters', '/mfa/chapters'],
  ['/internal/mfa/stats', '/mfa/stats'],
  // TRANSPORT-15
  ['/users', '/admin-operations/users'],
  ['/users/by-role/admin', '/admin-operations/users/by-role/admin'],
  // TRANSPORT-18
  ['/templates', '/admin-operations/message-templates'],
  ['/notifications', '/admin-operations/notifications'],
  ['/notifications/failed', '/notification-tracking/failed'],
  // TRANSPORT-19
  ['/internal/documents', '/files'],
] as const

test.each(PATHS)('%s answers like %s, and refuses the same people', async (path, canonical) => {
  const answer = await ask(admin, path)
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toEqual(Object.keys((await ask(admin, canonical)).body))
  expect((await ask(null, path)).status).toBe(401)
  expect((await ask(traveler, path)).status).toBe((await ask(traveler, canonical)).status)
})

test('a user reads their own data by an alias, and nobody else’s', async () => {
  for (const prefix of ['/users', '/internal/traveler/users']) {
    expect((await ask(traveler, `${prefix}/${traveler.id}/notifications`)).status).toBe(200)
    expect((await ask(traveler, `${prefix}/${admin.id}/notifications`)).status).toBe(404)
  }
})

test('a file is uploaded, read and removed by every address of TRANSPORT-19', async () => {
  const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n'
  for (const address of ['/files/upload', '/internal/uploads', '/internal/documents']) {
    expect((await ask(null, `${address}?bucket=pdos-documents`, 'POST', pdf)).status).toBe(401)
    const file = await ask(traveler, `${address}?bucket=pdos-documents`, 'POST', pdf)
    expect(file.status).toBe(201)
    const stranger = await createTestUser(database, 'traveler')
    expect((await ask(stranger, `/internal/documents/${file.body.id}`, 'DELETE')).status).toBe(404)
    expect((await ask(traveler, `/internal/documents/${file.body.id}`, 'DELETE')).status).toBe(200)
  }
})

test('a method that an alias does not take is refused with those it takes', async () => {
  expect(await ask(admin, '/internal/mfa/stats', 'POST')).toMatchObject({ status: 405, allow: 'GET, HEAD' })
})

test.each(['/internal', '/internal/elsewhere', '/users2', '/mfa2/chapters', '/internal/admin', '/admin-operations'])(
  '%s is not an address',
  async (path) => {
    expect((await ask(admin, path)).body.code).toBe('endpoint_not_found')
  },
)

test('no two endpoints share an address, and the API document lists no alias', () => {
  const shape = (path: string) => path.replace(/\{\w+\}/g, '{}')
  const owners = new Map<string, string>()
  for (const endpoint of app.router.endpoints())
    for (const path of addressesOf(endpoint)) {
      const address = `${endpoint.method} ${shape(path)}`
      expect([address, owners.get(address) ?? endpoint.key]).toEqual([address, endpoint.key])
      owners.set(address, endpoint.key)
    }
  const documented = Object.keys(app.router.document('http://portal.test').paths)
  expect(documented.filter((path) => path.startsWith('/api/internal/'))).toEqual(['/api/internal/uploads'])
})
