import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'

const database = await testDatabase()
const app = await testApp(database)

const ask = createApiClient(app)
const chat = (as: string | null, message: string, more: object = {}) =>
  ask(as, 'POST', 'public/chat', { message, ...more })
const messagesOf = async (as: string, id: string) =>
  (await ask(as, 'GET', `ai/conversations/${id}/messages`)).body.messages as any[]

test('questions and answers of a signed-in user are saved in one conversation, which continues', async () => {
  const ana = await createTestUser(database, 'traveler')
  const first = await chat(ana.as, 'Is it safe in Japan?')
  const id = first.body.conversation_id as string
  const second = await chat(ana.as, 'And in Kuwait?', { conversation_id: id })
  expect(second.body.conversation_id).toBe(id)
  const messages = await messagesOf(ana.as, id)
  expect(messages.map((m) => [m.sender_type, m.format])).toEqual([
    ['user', 'text'],
    ['assistant', 'markdown'],
    ['user', 'text'],
    ['assistant', 'markdown'],
  ])
  expect(messages[1]).toMatchObject({
    content: first.body.content,
    reply_to: messages[0].id,
    metadata: { conversation_id: id, status: first.body.metadata.status, question_id: null },
  })
  const { conversations } = (await ask(ana.as, 'GET', 'ai/conversations')).body
  expect(conversations).toMatchObject([{ id, title: 'Is it safe in Japan?', messageCount: 4 }])
})

test('nothing is saved for visitors and for users who have opted out', async () => {
  expect((await chat(null, 'Is it safe in Japan?')).body.conversation_id).toBeNull()
  const ana = await createTestUser(database, 'traveler')
  expect((await chat(ana.as, 'Is it safe in Japan?', { save: false })).body.conversation_id).toBeNull()
  expect((await ask(ana.as, 'GET', 'ai/conversations')).body.conversations).toEqual([])
})

test('a sign of danger is answered and not saved', async () => {
  const ana = await createTestUser(database, 'traveler', { country_code: 'SA' })
  const { body } = await chat(ana.as, 'My employer took my passport and locks me in')
  expect(body.metadata.danger).toMatchObject({ country: 'SA' })
  expect(body.conversation_id).toBeNull()
  expect((await ask(ana.as, 'GET', 'ai/conversations')).body.conversations).toEqual([])
})

test('a conversation of another user is not found', async () => {
  const ana = await createTestUser(database, 'traveler')
  const ben = await createTestUser(database, 'traveler')
  const { body } = await chat(ana.as, 'Is it safe in Japan?')
  for (const conversation_id of [body.conversation_id, randomUUID()])
    expect(await chat(ben.as, 'And in Kuwait?', { conversation_id })).toMatchObject({
      status: 404,
      body: { error: 'Conversation not found' },
    })
  expect(await messagesOf(ana.as, body.conversation_id)).toHaveLength(2)
})
