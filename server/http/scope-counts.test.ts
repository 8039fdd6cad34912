import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { welcomeNewAccount } from '#server/accounts/welcome.ts'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { served } from '#server/testing/http-server.ts'
import { twoCountries } from '#server/testing/two-countries.ts'
import { accessChangesProcessed, createTestUser, type TestUser } from '#server/testing/users.ts'
import { withoutScope } from '#server/testing/walkers.ts'
import type { QueueRow } from '#shared/overview/queue.ts'

const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })
const { admin, JP, IT, shared, call, person, tokenOf } = await twoCountries(database, app)
const { url } = await served(app)
const everywhere = await createTestUser(database, 'mfa_coordinator')

/** All counts shown to one user. */
async function countsFor(who: TestUser) {
  const get = async (path: string) => (await call(who, 'GET', path)).body
  const frame = await get('/admin-operations/frame')
  const home = await get('/admin-operations/coordinator')
  const queue = await get('/admin-operations/queue?show=all')
  const rows: QueueRow[] = queue.rows ?? []
  const ofKind = (...kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind))
  return {
    newAccounts: [(await get('/accounts/new')).total, frame.new_accounts, home.new_accounts?.count],
    found: (await get('/admin-operations/search?search=only-')).people.length,
    cases: [(await get('/admin/assistant/cases?status=open')).total, frame.open_cases],
    churches: (await get('/my-churches')).total,
    care: [frame.church_care, (home.church_care?.messages?.count ?? 0) + (home.church_care?.corrections?.count ?? 0)],
    rollCalls: (await get('/roll-calls')).total,
    calls: ofKind('help', 'case').length,
    handedOver: ofKind('hand_over').length,
    asked: ofKind('roll_call').map(({ figures }) => figures.asked),
    queue: [queue.total, rows.length],
    chapters: (await get('/mfa/chapters')).total,
    announcements: (await get('/admin-operations/announcements')).total,
  }
}

// In each country: a new account and a traveler who were asked in a roll call and of whom one needs help, a member of
// the chapter, two cases of which one is assigned, and one church with one question and one correction. Users find
// themselves too; calls for help are those of roll calls and the open cases.
test('a country counts what is in it', async () => {
  const ofCountry = {
    newAccounts: [1, 1, 1],
    found: 3,
    churches: 1,
    care: [2, 2],
    rollCalls: 2,
    calls: 3,
    handedOver: 1,
    asked: [2, 2],
    queue: [9, 9],
  }
  const more = { cases: [1, 1], chapters: 1, announcements: 1 }
  for (const { coordinator } of [JP, IT]) expect(await countsFor(coordinator)).toEqual({ ...ofCountry, ...more })
  expect(await countsFor(JP.servant)).toEqual({ ...ofCountry, ...more, chapters: undefined, announcements: 0 })
})

test('a chapter counts its users', async () => {
  expect(await countsFor(JP.byChapter)).toEqual({
    ...{
      newAccounts: [1, 1, 1],
      found: 2,
      cases: [0, 0],
      churches: 0,
      care: [0, 0],
      rollCalls: 0,
      calls: 0,
      handedOver: 0,
      asked: [],
      queue: [1, 1],
    },
    ...{ chapters: 1, announcements: 0 },
  })
})

test.each(['mfa_coordinator', 'pdos_coordinator', 'local_servant'] as const)(
  'a %s without scope counts nothing',
  async (role) => {
    const who = await withoutScope(database, role)
    const counts = await countsFor(who)
    const none = [0, undefined, []]
    expect((await call(who, 'GET', '/admin-operations/frame')).body.has_scope).toBe(false)
    expect((await call(who, 'GET', '/admin-operations/coordinator')).body).toMatchObject({
      countries: [],
      chapters: [],
    })
    expect(
      Object.entries(counts).filter(([, found]) => ![found].flat().every((value) => none.includes(value))),
    ).toEqual([])
  },
)

test.each(['mfa_coordinator', 'pdos_coordinator', 'local_servant'] as const)(
  'a %s without scope notifies nobody',
  async (role) => {
    const who = await withoutScope(database, role)
    const texts = { en: { title: 'To all', message: 'To all' }, ar: {} }
    const body = { audience: { roles: ['traveler', 'member'] }, channels: ['in-app'], texts }
    const { id } = (await call(who, 'POST', '/admin-operations/announcements', body)).body
    expect((await call(who, 'GET', `/admin-operations/announcements/${id}/outlook`)).body).toMatchObject({
      chosen: 0,
      people: 0,
    })
    expect((await call(who, 'POST', `/admin-operations/announcements/${id}/send`, {})).status).toBe(409)
  },
)

test('a deleted chapter is no scope; any place is one', async () => {
  const gone = await createTestUser(database, 'mfa_coordinator', {
    scope_chapters: ['00000000-0000-4000-8000-000000000000'],
  })
  const hasScope = async (who: TestUser) => (await call(who, 'GET', '/admin-operations/frame')).body.has_scope
  expect(await hasScope(gone)).toBe(false)
  for (const who of [JP.coordinator, JP.byChapter, everywhere, admin]) expect(await hasScope(who)).toBe(true)
})

test('a coordinator of one chapter reads the advisories of its country', async () => {
  const { countries, chapters } = (await call(JP.byChapter, 'GET', '/admin-operations/coordinator')).body
  expect([countries, chapters]).toEqual([null, ['ONLY-JP chapter']])
})

test('an unrestricted scope counts everything', async () => {
  expect(await countsFor(everywhere)).toMatchObject({
    ...{
      newAccounts: [5, 5, 5],
      found: 7,
      cases: [3, 3],
      churches: 2,
      care: [4, 4],
      rollCalls: 3,
      calls: 7,
      chapters: 2,
    },
  })
})

test('a roll call of both countries shows each coordinator their own users', async () => {
  const userIdsOf = async (who: TestUser) =>
    (await call(who, 'GET', `/roll-calls/${shared}`)).body.people.map((row: { user_id: string }) => row.user_id).sort()
  for (const place of [JP, IT])
    expect(await userIdsOf(place.coordinator)).toEqual([place.newcomer.id, place.traveler.id].sort())
  expect(await userIdsOf(everywhere)).toHaveLength(4)
})

async function connect(who: TestUser) {
  const headers = { authorization: `Bearer ${await tokenOf(who)}` }
  await accessChangesProcessed(database)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/realtime`, { headers })
  const received: any[] = []
  const ask = async (message: object) => {
    socket.send(JSON.stringify({ ...message, ref: 1 }))
    for (;;) {
      const [data] = await once(socket, 'message')
      const answer = JSON.parse(String(data))
      if (answer.type === 'reply') return answer
    }
  }
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  await once(socket, 'open')
  return { socket, ask, unreadEvents: () => received.filter(({ event }) => event === 'notification').length }
}

test('an open page receives no events from elsewhere', async () => {
  const japan = await connect(JP.coordinator)
  const italy = await connect(IT.coordinator)
  const none = await connect(await withoutScope(database, 'mfa_coordinator'))
  const group = await connect(await createTestUser(database, 'coordinator'))
  for (const page of [japan, none, group])
    expect(await page.ask({ type: 'join', room: `roll_call:${IT.rollCall}` })).toMatchObject({ ok: false })
  expect(await italy.ask({ type: 'join', room: `roll_call:${IT.rollCall}` })).toMatchObject({ ok: true })
  expect(await japan.ask({ type: 'join', room: `roll_call:${shared}` })).toMatchObject({ ok: true })
  const { authUserId } = await person('IT', 'Latecomer', 'traveler', { country_code: 'IT', profile_status: 'pending' })
  await welcomeNewAccount(database, authUserId, { publicUrl: url, brand: () => 'Portal' })
  await expect.poll(italy.unreadEvents).toBe(1)
  for (const page of [japan, none, group]) {
    await page.ask({ type: 'heartbeat' })
    expect(page.unreadEvents()).toBe(0)
  }
  for (const { socket } of [japan, italy, none, group]) socket.close()
})
