import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { App } from '#server/app.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { startModelPeer } from '#server/testing/model.ts'
import { createTestUser } from '#server/testing/users.ts'
import { createModel } from './provider.ts'
import { createTranslating, piecesOf } from './translation.ts'

const peer = await startModelPeer(() => ({ chunks: [''] }))
afterAll(() => peer.close())
const translate = createTranslating(createModel({ url: peer.url, key: 'k', name: 'test' }))
const ask = (from: string, to: string) =>
  translate({ text: 'Kinuha ng amo ko ang passport ko', from, to, signal: new AbortController().signal })

test('a text is returned in the other language', async () => {
  peer.reply = () => ({ chunks: ['{"translation": "My employer ', 'took my passport"}'] })
  expect(await ask('tl', 'en')).toEqual({ translation: 'My employer took my passport', warning: null })
  expect(peer.requests.at(-1)).toMatchObject({ temperature: 0, messages: [{ role: 'system' }, { role: 'user' }] })
})

test('output that is not JSON is shown with a warning', async () => {
  peer.reply = () => ({ chunks: ['My employer took my passport'] })
  expect(await ask('tl', 'en')).toEqual({
    translation: 'My employer took my passport',
    warning: 'Translation format may need manual review',
  })
})

test('a long text is translated completely, in chunks, and the cost of each is reported', async () => {
  const spent: number[] = []
  const translating = createTranslating(createModel({ url: peer.url, key: 'k', name: 'test' }), (tokens) => {
    spent.push(tokens)
  })
  peer.reply = ({ messages }) => ({
    chunks: [JSON.stringify({ translation: messages.at(-1)!.content.toUpperCase() })],
  })
  const text = Array.from({ length: 200 }, (_, n) => `line ${n} of what somebody said`).join('\n\n')
  const { translation } = await translating({ text, from: 'tl', to: 'en', signal: new AbortController().signal })
  expect(translation).toBe(text.toUpperCase())
  expect(spent).toEqual(piecesOf(text).map(() => 100))
  expect(spent.length).toBeGreaterThan(1)
})

test('chunks are limited in length, never split a character, and add up to the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'ب'), maxLength: 300 }),
      fc.integer({ min: 2, max: 40 }),
      (text, max) => {
        const pieces = piecesOf(text, max)
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(max)
          expect(piece.isWellFormed()).toBe(true)
        }
      },
    ),
  )
})

test('an empty answer is an error', async () => {
  peer.reply = () => ({ chunks: [' '] })
  await expect(ask('tl', 'en')).rejects.toThrow('Invalid response from AI service')
})

test('unsupported languages are rejected', async () => {
  await expect(ask('en', 'xx')).rejects.toThrow('Unsupported language pair')
  await expect(ask('en', 'en')).rejects.toThrow('Unsupported language pair')
})

const database = await testDatabase()
const model = { url: peer.url, key: undefined, name: 'test' }
const body = { text: 'Kinuha ng amo ko ang passport ko', source_language: 'tl', target_language: 'en' }
/** Whether the case screen offers translation. */
async function offered(app: App, as: string) {
  const ask = createApiClient(app)
  const { reference } = (await ask(null, 'POST', 'ai/cases', { kind: 'hand_over' })).body
  const { cases } = (await ask(as, 'GET', 'admin/assistant/cases')).body
  const { id } = cases.find((each: { reference: string }) => each.reference === reference)
  return (await ask(as, 'GET', `admin/assistant/cases/${id}`)).body.can_translate as boolean
}
const over = (app: App, as: string | null, input: object = body) =>
  createApiClient(app)(as, 'POST', 'ai/translate', input)

test('only users who take cases can translate', async () => {
  peer.reply = () => ({ chunks: ['{"translation": "My employer took my passport"}'] })
  const app = await testApp(database, { model })
  const servant = await createTestUser(database, 'local_servant')
  const traveler = await createTestUser(database, 'traveler')
  expect(await over(app, servant.as)).toMatchObject({
    status: 200,
    body: { translation: 'My employer took my passport' },
  })
  expect((await over(app, traveler.as)).status).toBe(403)
  expect((await over(app, null)).status).toBe(401)
  expect(await over(app, servant.as, { ...body, target_language: 'xx' })).toMatchObject({
    status: 422,
    body: { error: 'Unsupported language pair' },
  })
  peer.reply = () => ({ status: 400 })
  expect(await over(app, servant.as)).toMatchObject({ status: 502, body: { error: 'Failed to get AI response' } })
})

test('without a model, translation is reported as unavailable', async () => {
  const servant = await createTestUser(database, 'local_servant')
  expect(await over(await testApp(database), servant.as)).toMatchObject({ status: 503, body: { code: 'no_model' } })
})

test('a case offers translation only if there is a model', async () => {
  const admin = await createTestUser(database, 'admin')
  expect(await offered(await testApp(database, { model }), admin.as)).toBe(true)
  expect(await offered(await testApp(database), admin.as)).toBe(false)
})

test('a user who has reached the daily limit is told to come back tomorrow, and the model is not called', async () => {
  const servant = await createTestUser(database, 'local_servant')
  const app = await testApp(database, { model })
  peer.reply = () => ({ chunks: ['{"translation": "again"}'] })
  const long = { ...body, text: 'salita '.repeat(2_500) }
  for (let at = 0; at < 5; at++) expect((await over(app, servant.as, long)).status).toBe(200)
  const before = peer.requests.length
  expect(await over(app, servant.as, { ...long, text: 'salita '.repeat(2_800) })).toMatchObject({ status: 429 })
  expect(peer.requests.length).toBe(before)
})
