import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { inBackground } from '#server/db/claims.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { served } from '#server/testing/http-server.ts'
import { accessChangesProcessed, createTestUser } from '#server/testing/users.ts'
import { broadcastInboxUpdates } from './inbox-updates.ts'

const database = await testDatabase()
const app = await testApp(database)
const { url } = await served(app)
// A second node on the same database.
const other = await testApp(database)

async function connect(as?: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/realtime`, { headers: as ? { [AS]: as } : {} })
  const messages: any[] = []
  const waiting: (() => void)[] = []
  socket.on('message', (data) => {
    messages.push(JSON.parse(data.toString()))
    for (const wake of waiting.splice(0)) wake()
  })
  let closedWith: number | undefined
  socket.on('close', (code) => {
    closedWith = code
    for (const wake of waiting.splice(0)) wake()
  })
  await once(socket, 'open')
  let ref = 0
  const until = async (found: (message: any) => boolean): Promise<any> => {
    for (;;) {
      const message = messages.find(found)
      if (message) return message
      if (closedWith) throw new Error(`The server closed the socket with ${closedWith}`)
      await new Promise<void>((wake) => waiting.push(wake))
    }
  }
  return {
    socket,
    messages,
    until,
    ask: (message: object) => {
      const its = ++ref
      socket.send(JSON.stringify({ ...message, ref: its }))
      return until((m) => m.type === 'reply' && m.ref === its)
    },
  }
}

const add = (advisory: Parameters<typeof insertAdvisory>[1]) =>
  inBackground(database, 'test', (db) => insertAdvisory(db, advisory))

test('an open page is notified of an advisory written on another node, and only gets its id', async () => {
  const page = await connect()
  expect(await page.ask({ type: 'join', room: 'advisories' })).toMatchObject({ ok: true })
  const { id } = await add({ title: 'Peru', is_urgent: true })
  await other.readModel.catchUp()
  const event = await page.until((m) => m.event === 'urgent_travel_advisory')
  expect(event).toEqual({ type: 'event', event: 'urgent_travel_advisory', room: 'advisories', payload: { id } })
  page.socket.close()
})

test('only subscribers of a country are notified of its changes', async () => {
  const [peru, japan] = [await connect(), await connect()]
  await peru.ask({ type: 'subscribe_country', country: 'PE' })
  await japan.ask({ type: 'subscribe_country', country: 'JP' })
  const { id } = await add({ country_codes: ['PE'] })
  expect(await peru.until((m) => m.event === 'country_travel_advisory')).toMatchObject({
    payload: { id, country: 'PE' },
  })
  await japan.ask({ type: 'heartbeat' })
  expect(japan.messages.filter((m) => m.type === 'event')).toEqual([])
  await peru.ask({ type: 'unsubscribe_country', country: 'PE' })
  peru.socket.close()
  japan.socket.close()
})

test('a subscription to one row covers that row and no other', async () => {
  const first = await add({ title: 'first' })
  const second = await add({ title: 'second' })
  await app.readModel.catchUp()
  const page = await connect()
  await page.ask({ type: 'join', room: `table:travel_advisories:id=eq.${first.id}` })
  for (const { id } of [second, first])
    await inBackground(database, 'test', (db) =>
      db.updateTable('travel_advisories').set({ title: 'new' }).where('id', '=', id).execute(),
    )
  expect(await page.until((m) => m.event === 'change')).toMatchObject({ payload: { id: first.id } })
  expect(page.messages.filter((m) => m.event === 'change')).toHaveLength(1)
  page.socket.close()
})

test('rooms of other tables, foreign roles, malformed messages and floods are refused, and the socket stays open', async () => {
  const page = await connect()
  for (const room of ['table:audit_log', 'table:settings:key=eq.brand', 'role:admin', '', 'x'.repeat(1_500)])
    expect(await page.ask({ type: 'join', room })).toMatchObject({ ok: false })
  expect(await page.ask({ type: 'join_role', role: 'admin' })).toMatchObject({
    ok: false,
    error: 'Please sign in to continue.',
  })
  page.socket.send('not json')
  expect(await page.until((m) => m.type === 'reply' && m.ref === undefined)).toMatchObject({ ok: false })
  const answers = await Promise.all(Array.from({ length: 30 }, () => page.ask({ type: 'heartbeat' })))
  expect(answers.some(({ error }) => error === 'Too many messages in one second.')).toBe(true)
  expect(page.socket.readyState).toBe(WebSocket.OPEN)
  page.socket.close()
})

test('a signed-in user joins the room of the role the server knows', async () => {
  const coordinator = await connect(`mfa_coordinator ${randomUUID()}`)
  expect(await coordinator.ask({ type: 'join_role', role: 'admin' })).toMatchObject({ ok: true })
  app.rooms.broadcast('role:admin', 'dashboard_update', {})
  app.rooms.broadcast('role:mfa_coordinator', 'dashboard_update', { for: 'coordinators' })
  expect(await coordinator.until((m) => m.event === 'dashboard_update')).toMatchObject({
    payload: { for: 'coordinators' },
  })
  coordinator.socket.close()
})

test('an inbox event reaches the notified user and groups, and nobody else', async () => {
  const { id: ana } = await createTestUser(database, 'traveler')
  await accessChangesProcessed(database)
  const [anaPage, benPage, coordinator, guest] = [
    await connect(`traveler ${ana}`),
    await connect(`traveler ${randomUUID()}`),
    await connect(`local_servant ${randomUUID()}`),
    await connect(),
  ]
  expect(await guest.ask({ type: 'join', room: 'own' })).toMatchObject({ ok: false })
  // Made-up room names are refused.
  for (const room of [`person:${ana}`, 'group:admin', 'people'])
    expect(await benPage.ask({ type: 'join', room })).toMatchObject({ ok: false })
  expect(await anaPage.ask({ type: 'join', room: 'own' })).toMatchObject({ ok: true })
  const insertNotification = (to: { user_id: string } | { recipient_role: string }) =>
    inBackground(database, 'test', (db) =>
      db
        .insertInto('notifications')
        .values({
          user_id: null,
          recipient_role: null,
          type: 'announcement',
          title: 'Told',
          message: 'Told.',
          data: '{}',
          action_url: null,
          event_key: null,
          ...to,
        })
        .execute(),
    )
  await insertNotification({ user_id: ana })
  const rung = { type: 'event', event: 'notification', room: 'own', payload: {} }
  expect(await anaPage.until((m) => m.event === 'notification')).toEqual(rung)
  await insertNotification({ recipient_role: 'coordinator' })
  expect(await coordinator.until((m) => m.event === 'notification')).toEqual(rung)
  for (const page of [benPage, guest]) {
    await page.ask({ type: 'heartbeat' })
    expect(page.messages.filter((m) => m.event)).toEqual([])
  }
  expect(anaPage.messages.filter((m) => m.event)).toHaveLength(1)

  // A client cannot leave it by name.
  await anaPage.ask({ type: 'leave', room: `person:${ana}` })
  broadcastInboxUpdates(app.rooms, '*')
  for (const page of [anaPage, benPage, coordinator])
    expect(await page.until((m) => m.payload?.is_for_everybody)).toMatchObject({ event: 'notification', room: 'own' })
  await guest.ask({ type: 'heartbeat' })
  expect(guest.messages.filter((m) => m.event)).toEqual([])
  for (const page of [anaPage, benPage, coordinator, guest]) page.socket.close()
})

test('a subscriber of a country is also notified when very many rows change at once', async () => {
  const fiji = await connect()
  await fiji.ask({ type: 'subscribe_country', country: 'FJ' })
  await inBackground(database, 'test', async (db) => {
    for (let at = 0; at < 25; at++) await insertAdvisory(db, { country_codes: [at === 7 ? 'FJ' : 'KI'] })
  })
  expect(await fiji.until((m) => m.event === 'country_travel_advisory')).toMatchObject({
    payload: { id: null, country: 'FJ' },
  })
  fiji.socket.close()
})

test("an administrator's open overview is notified of messages to administrators, another user's is not", async () => {
  const [admin, servant] = [await connect(`admin ${randomUUID()}`), await connect(`local_servant ${randomUUID()}`)]
  for (const page of [admin, servant]) expect(await page.ask({ type: 'join_role' })).toMatchObject({ ok: true })
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('notifications')
      .values({
        user_id: null,
        recipient_role: 'admin',
        type: 'admin_alert',
        title: 'Urgent mail does not leave',
        message: '1',
        data: '{}',
        status: 'sent',
        action_url: null,
        event_key: randomUUID(),
      })
      .execute(),
  )
  await admin.until((m) => m.event === 'dashboard_update')
  await servant.ask({ type: 'heartbeat' })
  expect(servant.messages.filter((m) => m.event === 'dashboard_update')).toEqual([])
  admin.socket.close()
  servant.socket.close()
})
