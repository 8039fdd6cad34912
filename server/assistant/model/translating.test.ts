import { afterAll, expect, test } from 'vitest'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { startModelPeer } from '#server/testing/model.ts'
import { somebody } from '#server/testing/people.ts'
import { createModel } from './provider.ts'
import { createTranslating, supported } from './translating.ts'

const peer = await startModelPeer(() => ({ words: [''] }))
afterAll(() => peer.close())
const translate = createTranslating(createModel({ url: peer.url, key: 'k', name: 'test' }))
const ask = (from: string, to: string) =>
  translate({ text: 'Kinuha ng amo ko ang passport ko', from, to, signal: new AbortController().signal })

test('a text comes back in the other language', async () => {
  peer.reply = () => ({ words: ['{"translation": "My employer ', 'took my passport"}'] })
  expect(await ask('tl', 'en')).toEqual({ translation: 'My employer took my passport', warning: null })
  expect(peer.asked.at(-1)).toMatchObject({ temperature: 0, messages: [{ role: 'system' }, { role: 'user' }] })
})

test('what is no JSON is shown with a warning', async () => {
  peer.reply = () => ({ words: ['My employer took my passport'] })
  expect(await ask('tl', 'en')).toEqual({
    translation: 'My employer took my passport',
    warning: 'Translation format may need manual review',
  })
})

test('an empty answer is none', async () => {
  peer.reply = () => ({ words: [' '] })
  await expect(ask('tl', 'en')).rejects.toThrow('Invalid response from AI service')
})

test('languages that the assistant does not have are refused', async () => {
  await expect(ask('en', 'xx')).rejects.toThrow('Unsupported language pair')
  await expect(ask('en', 'en')).rejects.toThrow('Unsupported language pair')
  expect(() => supported('xx')).toThrow('Language xx not supported')
  expect(supported('pt-BR')).toBe('pt')
})

const database = await testDatabase()
const model = { url: peer.url, key: undefined, name: 'test' }
const body = { text: 'Kinuha ng amo ko ang passport ko', source_language: 'tl', target_language: 'en' }
async function over(app: Awaited<ReturnType<typeof testApp>>, as: string | null, given: object = body) {
  const response = await app.request('http://portal.test/api/ai/translate', {
    method: 'POST',
    headers: { ...(as ? { [AS]: as } : {}), origin: 'http://portal.test', 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })
  return { status: response.status, body: (await response.json()) as { translation?: string; error?: string } }
}

test('those who take cases have words translated; nobody else has', async () => {
  peer.reply = () => ({ words: ['{"translation": "My employer took my passport"}'] })
  const app = await testApp(database, { model })
  const servant = await somebody(database, 'local_servant')
  const traveler = await somebody(database, 'traveler')
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

test('without a model it is said that nothing can be translated', async () => {
  const servant = await somebody(database, 'local_servant')
  expect(await over(await testApp(database), servant.as)).toMatchObject({ status: 503, body: { code: 'no_model' } })
})
