import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Claims, inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { forgetConversations } from './store.ts'

const database = await testDatabase()
const app = await testApp(database)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

const ask = createApiClient(app, 'ai/')
const begin = async (as: string, body: object = {}) =>
  (await ask(as, 'POST', 'conversations', body)).body.conversation as { id: string; title: string }
const send = (as: string, id: string, content: string) => ask(as, 'POST', `conversations/${id}/messages`, { content })

test('a conversation is named after its first message, and messages stay in order', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id, title } = await begin(ana.as)
  expect(title).toBe('New Conversation')
  expect(await send(ana.as, id, 'Where is a church near the King Fahd hospital in Riyadh, please?')).toMatchObject({
    status: 201,
    body: { message: { sender_type: 'user', message_order: 0, format: 'text' } },
  })
  await send(ana.as, id, 'And on Sunday?')
  const { body } = await ask(ana.as, 'GET', `conversations/${id}`)
  expect(body.conversation).toEqual({
    id,
    title: 'Where is a church near the King Fahd hospital in…',
    lastMessage: 'And on Sunday?',
    lastActivity: expect.any(String),
    messageCount: 2,
    userId: ana.id,
    status: 'active',
    language: 'en',
    isSessionOnly: false,
  })
  const { messages } = (await ask(ana.as, 'GET', `conversations/${id}/messages`)).body
  expect(messages.map((m: any) => [m.message_order, m.content])).toEqual([
    [0, 'Where is a church near the King Fahd hospital in Riyadh, please?'],
    [1, 'And on Sunday?'],
  ])
})

test('the list shows the first 100 characters of a long message', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id } = await begin(ana.as)
  await send(ana.as, id, 'x'.repeat(150))
  const { conversations } = (await ask(ana.as, 'GET', 'conversations')).body
  expect(conversations[0].lastMessage).toBe('x'.repeat(100))
})

test('a user without a profile gets an error when starting a conversation', async () => {
  expect(await ask(`traveler ${randomUUID()}`, 'POST', 'conversations', {})).toMatchObject({
    status: 404,
    body: {
      code: 'no_profile',
      error: 'User profile not found. Please ensure your profile is properly set up.',
    },
  })
})

test('messages added concurrently get distinct positions', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id } = await begin(ana.as)
  const added = await Promise.all(Array.from({ length: 8 }, (_, at) => send(ana.as, id, `Question ${at}`)))
  expect(added.map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect(added.map(({ body }) => body.message.message_order).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('other users, including administrators, cannot read, rename, extend or delete a conversation', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id } = await begin(ana.as)
  await send(ana.as, id, 'My passport was taken')
  for (const role of ['traveler', 'admin', 'mfa_coordinator'] as const) {
    const other = await createTestUser(database, role)
    const missing = { status: 404, body: { error: 'Conversation not found' } }
    expect(await ask(other.as, 'GET', `conversations/${id}`)).toMatchObject(missing)
    expect(await ask(other.as, 'GET', `conversations/${id}/messages`)).toMatchObject(missing)
    expect(await ask(other.as, 'PUT', `conversations/${id}`, { title: 'Mine' })).toMatchObject(missing)
    expect(await send(other.as, id, 'Hello')).toMatchObject(missing)
    expect(await ask(other.as, 'DELETE', `conversations/${id}`)).toMatchObject(missing)
    expect(await ask(other.as, 'POST', 'conversations', { id })).toMatchObject(missing)
    expect((await ask(other.as, 'GET', 'conversations?search=passport')).body.conversations).toEqual([])
  }
  for (const path of ['conversations', `conversations/${id}`, `conversations/${id}/messages`, 'preferences'])
    expect((await ask(null, 'GET', path)).status).toBe(401)
  expect((await ask(ana.as, 'GET', `conversations/${id}`)).body.conversation.messageCount).toBe(1)
})

test('row-level policies enforce the same, independently of the handlers', async () => {
  const ana = await createTestUser(database, 'traveler')
  const ben = await createTestUser(database, 'admin')
  const { id } = await begin(ana.as)
  await send(ana.as, id, 'Only mine')
  const as = <T>(claims: Claims, fn: (db: Db) => Promise<T>) => withClaims(database, claims, fn)
  const other: Claims = { as: 'user', userId: ben.id, role: 'admin' }
  for (const table of ['ai_conversations', 'chat_messages', 'ai_process_states', 'ai_user_preferences'] as const) {
    expect(await as(other, (db) => db.selectFrom(table).selectAll().execute())).toEqual([])
    await expect(as({ as: 'anonymous' }, (db) => db.selectFrom(table).selectAll().execute())).rejects.toMatchObject({
      code: '42501',
    })
  }
  await expect(
    as(other, (db) =>
      db
        .insertInto('chat_messages')
        .values({
          conversation_id: id,
          sender_type: 'assistant',
          content: 'Forged',
          message_order: 9,
          metadata: '{}',
          tokens_used: null,
          model_used: null,
          processing_time_ms: null,
          reply_to: null,
        })
        .execute(),
    ),
  ).rejects.toMatchObject({ code: '42501' })
})

test('a deleted conversation is gone with its messages, and a browser copy cannot restore it', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id } = await begin(ana.as)
  await send(ana.as, id, 'Unmistakable words')
  expect(await ask(ana.as, 'DELETE', `conversations/${id}`)).toMatchObject({ status: 200 })
  expect((await ask(ana.as, 'GET', `conversations/${id}`)).status).toBe(404)
  expect((await ask(ana.as, 'DELETE', `conversations/${id}`)).status).toBe(404)
  const back = await ask(ana.as, 'POST', 'conversations', {
    id,
    messages: [{ sender_type: 'user', content: 'Unmistakable words' }],
  })
  expect(back).toMatchObject({ status: 410, body: { code: 'conversation_deleted' } })
  expect(await send(ana.as, id, 'Again')).toMatchObject({ status: 404 })
  expect(
    await inside((db) => db.selectFrom('chat_messages').select('id').where('conversation_id', '=', id).execute()),
  ).toEqual([])
})

test('a conversation lost by the server is restored from the browser copy, once', async () => {
  const ana = await createTestUser(database, 'traveler')
  const id = randomUUID()
  const copy = {
    id,
    title: 'About Jeddah',
    language: 'tl',
    messages: [
      { sender_type: 'user', content: 'Saan po ang lokal sa Jeddah?', created_at: '2026-11-01T10:00:00.000Z' },
      { sender_type: 'assistant', content: 'Narito po.', created_at: '2026-11-01T10:00:01.000Z' },
    ],
  }
  for (const _ of [1, 2])
    expect(await ask(ana.as, 'POST', 'conversations', copy)).toMatchObject({
      status: 201,
      body: { conversation: { id, title: 'About Jeddah', messageCount: 2, language: 'tl' } },
    })
})

test('search matches parts of titles and messages, takes wildcards literally and returns at most 20', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id } = await begin(ana.as, { title: 'Visa for Japan' })
  await send(ana.as, id, 'It costs 100% of my pay')
  for (let at = 0; at < 22; at++) await begin(ana.as, { title: `Talk ${at}` })
  const found = async (search: string) =>
    (await ask(ana.as, 'GET', `conversations?search=${encodeURIComponent(search)}`)).body.conversations
  expect((await found('japan')).map((c: any) => c.id)).toEqual([id])
  expect((await found('100%')).map((c: any) => c.id)).toEqual([id])
  expect(await found('%')).toHaveLength(1)
  expect(await found('Talk')).toHaveLength(20)
})

test('the list returns at most 50', async () => {
  const ana = await createTestUser(database, 'traveler')
  for (let at = 0; at < 52; at++) await begin(ana.as)
  expect((await ask(ana.as, 'GET', 'conversations')).body.conversations).toHaveLength(50)
})

test('a new title is saved', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id } = await begin(ana.as)
  await ask(ana.as, 'PUT', `conversations/${id}`, { title: 'My journey' })
  await send(ana.as, id, 'Hello')
  expect((await ask(ana.as, 'GET', `conversations/${id}`)).body.conversation.title).toBe('My journey')
  expect((await ask(ana.as, 'PUT', `conversations/${id}`, { title: ' ' })).status).toBe(422)
})

test('expired conversations are purged like deleted ones', async () => {
  const ana = await createTestUser(database, 'traveler')
  const { id } = await begin(ana.as)
  await send(ana.as, id, 'Long ago')
  await inside((db) => forgetConversations(db, { before: new Date(Date.now() + 1000) }, new Date()))
  expect((await ask(ana.as, 'GET', `conversations/${id}`)).status).toBe(404)
})
