import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { inBackground } from '#server/db/claims.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { served } from '#server/testing/serve.ts'

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
  await once(socket, 'open')
  let ref = 0
  const until = async (found: (message: any) => boolean): Promise<any> => {
    for (;;) {
      const message = messages.find(found)
      if (message) return message
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

test('an open page hears of an advisory written on another node, and learns its id only', async () => {
  const page = await connect()
  expect(await page.ask({ type: 'join', room: 'advisories' })).toMatchObject({ ok: true })
  const { id } = await add({ title: 'Peru', is_urgent: true })
  await other.readModel.catchUp()
  const event = await page.until((m) => m.event === 'urgent_travel_advisory')
  expect(event).toEqual({ type: 'event', event: 'urgent_travel_advisory', room: 'advisories', payload: { id } })
  page.socket.close()
})

test('only those who asked for a country hear of it', async () => {
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

test('a subscription to one row hears of that row and no other', async () => {
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

test('rooms of other tables, foreign roles, nonsense and floods are refused, and the socket stays up', async () => {
  const page = await connect()
  for (const room of ['table:audit_log', 'table:settings:key=eq.brand', 'role:admin', '', 'x'.repeat(1_500)])
    expect(await page.ask({ type: 'join', room })).toMatchObject({ ok: false })
  expect(await page.ask({ type: 'join_role', role: 'admin' })).toMatchObject({
    ok: false,
    error: 'Nobody is signed in.',
  })
  page.socket.send('not json')
  expect(await page.until((m) => m.type === 'reply' && m.ref === undefined)).toMatchObject({ ok: false })
  const answers = await Promise.all(Array.from({ length: 30 }, () => page.ask({ type: 'heartbeat' })))
  expect(answers.some(({ error }) => error === 'Too many messages in one second.')).toBe(true)
  expect(page.socket.readyState).toBe(WebSocket.OPEN)
  page.socket.close()
})

test('a signed-in person joins the room of the role the server knows', async () => {
  const coordinator = await connect(`mfa_coordinator ${randomUUID()}`)
  expect(await coordinator.ask({ type: 'join_role', role: 'admin' })).toMatchObject({ ok: true })
  app.rooms.tell('role:admin', 'dashboard_update', {})
  app.rooms.tell('role:mfa_coordinator', 'dashboard_update', { for: 'coordinators' })
  expect(await coordinator.until((m) => m.event === 'dashboard_update')).toMatchObject({
    payload: { for: 'coordinators' },
  })
  coordinator.socket.close()
})
