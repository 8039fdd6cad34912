import { once } from 'node:events'
import { sql, type Updateable } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { hashToken } from '#server/accounts/token-hash.ts'
import type { UserProfilesTable } from '#server/db/tables-accounts.ts'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { served } from '#server/testing/http-server.ts'
import { accessChangesProcessed, createSession, createTestUser, type TestUser } from '#server/testing/users.ts'
import { SESSION_CHANGED } from '#shared/realtime.ts'
import { Rooms } from './rooms.ts'

const database = await testDatabase()
// Two nodes on one database; sockets are opened on the second, changes are made on the first.
const [app, other] = [await accountApp(database), await accountApp(database)]
const { url } = await served(other)
const admin = await createTestUser(database, 'admin')
const kysely = database.background.kysely
/** Rooms with fake sockets, whose heartbeat is not checked. */
function madeRooms(limits?: ConstructorParameters<typeof Rooms>[0]) {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const rooms = new Rooms(limits)
  vi.useRealTimers()
  return rooms
}

async function open(token?: string, options: ClientOptions = {}): ReturnType<typeof connected> {
  await accessChangesProcessed(database)
  const connection = await connected(token, options)
  // The database was too busy to resolve the session: retry, as a page does.
  return connection.isTaken ? connection : open(token, options)
}

async function connected(token?: string, options: ClientOptions = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/realtime`, {
    ...options,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  const closed = once(socket, 'close').then(([code]) => code as number)
  await once(socket, 'open')
  // The session is resolved before this: a reply means that the server has accepted the socket.
  socket.send(JSON.stringify({ type: 'heartbeat', ref: 1 }))
  const isTaken = await Promise.race([once(socket, 'message').then(() => true), closed.then(() => false)])
  return { socket, closed, isTaken }
}

async function ask(token: string, method: string, path: string, body?: object) {
  const response = await app.request(`http://portal.test/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return response.status
}

const become = (user: TestUser, values: Updateable<UserProfilesTable>) =>
  kysely.updateTable('user_profiles').set(values).where('id', '=', user.id).execute()

/** The users of these tests have an unrestricted scope until it is changed. */
const NOT_EVERYWHERE = { scope_everywhere: false, scope_reason: null }

/** Sockets of other users that must stay open. */
async function bystanders() {
  const userConnection = await open(await createSession(database, await createTestUser(database, 'traveler')))
  const nobody = await open()
  return async () => {
    for (const { socket, closed } of [userConnection, nobody]) {
      // If one was closed, report the code.
      if (socket.readyState !== WebSocket.OPEN) expect(await closed).toBe('open')
      socket.close()
    }
  }
}

test.each<[string, (user: TestUser) => Promise<unknown>]>([
  ['is given another role', (user) => become(user, { role: 'traveler', ...NOT_EVERYWHERE })],
  ['is limited to other countries', (user) => become(user, { scope_countries: ['KE'], ...NOT_EVERYWHERE })],
  ['is suspended', (user) => become(user, { profile_status: 'suspended' })],
  [
    'signs out everywhere',
    async (user) => ask(await createSession(database, user), 'POST', '/auth/logout', { scope: 'global' }),
  ],
  ['is erased', (user) => kysely.deleteFrom('auth_users').where('id', '=', user.authUserId).execute()],
])('the sockets of a user who %s are closed on every node, and nobody else’s', async (_, change) => {
  const user = await createTestUser(database, 'mfa_coordinator')
  const sockets = [await open(await createSession(database, user)), await open(await createSession(database, user))]
  const stay = await bystanders()
  await change(user)
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([SESSION_CHANGED, SESSION_CHANGED])
  await stay()
})

test('a role granted on a page closes the socket with the old one, and the reconnected socket has the new one', async () => {
  const user = await createTestUser(database, 'admin')
  const token = await createSession(database, user)
  const before = await open(token)
  before.socket.send(JSON.stringify({ type: 'join_role', ref: 2 }))
  await once(before.socket, 'message')
  const status = await ask(await createSession(database, admin), 'POST', `/admin-operations/users/${user.id}/role`, {
    role: 'traveler',
    scope_countries: null,
    scope_chapters: null,
    role_ends_on: null,
    reason: 'Moved on',
  })
  expect(status).toBe(200)
  expect(await before.closed).toBe(SESSION_CHANGED)
  const after = await open(token)
  after.socket.send(JSON.stringify({ type: 'join_role', ref: 2 }))
  await once(after.socket, 'message')
  const received: string[] = []
  after.socket.on('message', (data) => received.push(data.toString()))
  other.rooms.broadcast('role:admin', 'dashboard_update', {})
  other.rooms.broadcast('role:traveler', 'dashboard_update', { for: 'travelers' })
  await once(after.socket, 'message')
  expect(received.map((text) => JSON.parse(text).payload)).toEqual([{ for: 'travelers' }])
  after.socket.close()
})

test('ending one session closes only its own sockets', async () => {
  const user = await createTestUser(database, 'traveler')
  const [ended, stays] = [await createSession(database, user), await createSession(database, user)]
  const [first, second] = [await open(ended), await open(stays)]
  expect(await ask(ended, 'POST', '/auth/logout', { scope: 'local' })).toBe(200)
  expect(await first.closed).toBe(SESSION_CHANGED)
  expect(second.socket.readyState).toBe(WebSocket.OPEN)
  second.socket.close()
})

test('a change without effect on access closes nothing, and very many at once close only the affected ones', async () => {
  const stay = await bystanders()
  const user = await createTestUser(database, 'traveler')
  const token = await createSession(database, user)
  const { socket, closed } = await open(token)
  await kysely.updateTable('user_profiles').set({ updated_at: new Date() }).execute()
  await kysely
    .updateTable('auth_sessions')
    .set({ expires_at: new Date(Date.now() + 7_200_000) })
    .execute()
  await kysely.deleteFrom('auth_sessions').where('token', '=', 'there is none').execute()
  // Notified after those, so they have been processed by then.
  const other = await createTestUser(database, 'traveler')
  await sql`insert into auth_sessions (id, user_id, token, expires_at)
    select gen_random_uuid(), ${other.authUserId}, 'many-' || n, now() + interval '1 hour' from generate_series(1, 450) n`.execute(
    kysely,
  )
  expect(socket.readyState).toBe(WebSocket.OPEN)
  await sql`delete from auth_sessions where token like 'many-%' or token = ${hashToken(token)}`.execute(kysely)
  expect(await closed).toBe(SESSION_CHANGED)
  await stay()
})

test('a change while a socket is connecting closes it, and so do missed notifications', () => {
  const rooms = madeRooms()
  const codes: unknown[] = []
  const socket = () => ({ on: () => {}, close: (code: number) => codes.push(code), readyState: 1 }) as never
  const session = { user: { id: 'p', name: '', role: 'admin' as const }, id: 's' }
  for (const names of [['person:p'], ['session:s'], null, ['person:q']]) {
    const arrival = rooms.arrive('')
    rooms.closeChanged(names)
    rooms.enter(socket(), session, undefined, arrival)
  }
  // The last one is unrelated.
  expect(codes).toEqual([SESSION_CHANGED, SESSION_CHANGED, SESSION_CHANGED])
  expect(rooms.size).toBe(1)
  rooms.closeChanged(null)
  expect(codes.at(-1)).toBe(1012)
})

test.each(['https://evil.example', 'null', 'http://portal.test.evil.example'])(
  'a page of %s opens no socket with the reader’s session',
  async (origin) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/realtime`, { origin })
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(403)
    socket.on('error', () => {})
    socket.terminate()
  },
)

test('a page of the portal opens one, and so does a program, which sends no origin', async () => {
  for (const options of [{ origin: 'http://portal.test' }, { origin: url }, {}]) {
    const { socket } = await open(undefined, options)
    socket.close()
  }
})

test('a plain request without an upgrade gets an explanation', async () => {
  const response = await fetch(`${url}/api/realtime`)
  expect(response.status).toBe(426)
  expect(await response.json()).toMatchObject({ code: 'upgrade_required' })
})

test('a client that floods is closed, and so is one with an oversized message', async () => {
  const flooding = await open()
  for (let i = 0; i < 200; i++) flooding.socket.send('nonsense')
  expect(await flooding.closed).toBe(1008)
  const long = await open()
  long.socket.send('x'.repeat(20_000))
  expect(await long.closed).toBe(1009)
})

test('a user and an address have a limited number of open sockets, and may reconnect when some have closed', () => {
  const rooms = madeRooms({ maxOfAddress: 3, maxOfUser: 2 })
  const codes: unknown[] = []
  const socket = () => ({ on: () => {}, close: (code: number) => codes.push(code), readyState: 1 }) as never
  const arrivals = [rooms.arrive('a'), rooms.arrive('a'), rooms.arrive('a')]
  expect(() => rooms.arrive('a')).toThrow('Too many connections are open from your network.')
  expect(() => rooms.arrive('b')).not.toThrow()
  arrivals[0]!.leave()
  expect(() => rooms.arrive('a')).not.toThrow()
  const session = { user: { id: 'p', name: '', role: 'traveler' as const }, id: 's' }
  for (let i = 0; i < 3; i++) rooms.enter(socket(), session)
  expect(codes).toEqual([1013])
  rooms.enter(socket(), { user: null })
  expect(rooms.size).toBe(3)
})

test('while the database cannot resolve the session, a socket is told to retry and not treated as anonymous', () => {
  const rooms = madeRooms()
  const codes: unknown[] = []
  rooms.enter({ close: (code: number) => codes.push(code) } as never, { user: null, isUnknown: true })
  expect(codes).toEqual([1013])
  expect(rooms.size).toBe(0)
})
