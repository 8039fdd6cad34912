import { afterAll, expect, test } from 'vitest'
import { startModelPeer } from '#server/testing/model.ts'
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
