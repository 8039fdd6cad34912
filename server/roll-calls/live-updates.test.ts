import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { served } from '#server/testing/http-server.ts'
import { asking, scene, scopedSession } from './testing.ts'

const database = await testDatabase()
const app = await testApp(database, { readSession: scopedSession })
const ask = asking(app)
const { url } = await served(app)
const { ana, as } = await scene(database)

async function listenTo(room: string, by: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/realtime`, { headers: { [AS]: by } })
  const received: { type: string; ok?: boolean; event?: string; payload?: unknown }[] = []
  socket.on('message', (data) => received.push(JSON.parse(data.toString())))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'join', room, ref: 1 }))
  await expect.poll(() => received.length).toBe(1)
  return { received, socket }
}

test('those responsible for the recipients learn that something changed, but not what; others may not listen', async () => {
  const { id } = (await ask(as.here, 'POST', '/roll-calls', { title: 'Fire', countries: ['JP'], people: 2 })).body
  const room = `roll_call:${id}`
  for (const stranger of [as.there, ana.as, `pdos_coordinator ${ana.id} JP -`, '']) {
    const { received, socket } = await listenTo(room, stranger)
    expect(received).toMatchObject([{ type: 'reply', ok: false }])
    socket.close()
  }
  const { received, socket } = await listenTo(room, as.here)
  expect(received).toMatchObject([{ ok: true }])
  await ask(ana.as, 'PUT', `/account/roll-calls/${id}/answer`, { answer: 'need_help', note: 'On the roof' })
  await expect.poll(() => received.length, { interval: 10 }).toBeGreaterThan(1)
  expect(received[1]).toEqual({ type: 'event', event: 'roll_call', room, payload: { id } })
  socket.close()
})

test('an unknown roll call or a malformed room name is rejected', async () => {
  for (const room of [`roll_call:${crypto.randomUUID()}`, `roll_call:${'-'.repeat(36)}`, 'roll_call:x']) {
    const { received, socket } = await listenTo(room, as.admin)
    expect(received).toMatchObject([{ ok: false }])
    socket.close()
  }
})
