import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/log.ts'
import { type ModelReply, startModelPeer, statementsOf } from '#server/testing/model.ts'
import { NO_ENTITIES } from '#shared/assistant/intents.ts'
import { SCREEN_TOKENS } from '#shared/assistant/limits.ts'
import { compose } from '../composing/compose.ts'
import type { Draft } from '../drafts.ts'
import { createPhrasing } from './phrasingByModel.ts'
import { promptFor } from './prompt.ts'
import { createModel } from './provider.ts'

const peer = await startModelPeer(() => ({ words: [] }))
afterAll(() => peer.close())
const spent = vi.fn()
let isSpent = false
beforeEach(() => {
  peer.asked.length = 0
  spent.mockClear()
  isSpent = false
})
const phrasing = createPhrasing({
  model: createModel({ url: peer.url, key: 'secret', name: 'test-model' }),
  spending: { take: async () => !isSpent, spent },
  log: createLog('silent'),
})

const source = (record: string, url: string) => ({
  record,
  kind: 'fact' as const,
  title: record,
  url,
  source: 'MFA',
  checked_on: '2026-11-01',
  is_expired: false,
  excerpt: null,
})
const draft: Draft = {
  language: 'en',
  status: 'answered',
  analysis: { intent: 'pdos_registration', confidence: 1, entities: NO_ENTITIES, dangers: [], possible_danger: null },
  opening: ['Hello!'],
  sections: [
    {
      lead: { text: 'About PDOS:', records: [] },
      statements: [
        { text: 'It takes 1 day (8 hours).', records: ['fact:duration'] },
        { text: 'Its certificate is valid for 1 year.', records: ['fact:validity'] },
        { text: 'Read more on [the page](/travel-faq#what-is-pdos).', records: ['fact:faq'] },
      ],
    },
  ],
  closing: ['Would you like a person to go on with this?'],
  sources: [
    source('fact:duration', '/travel-faq'),
    source('fact:validity', '/travel-faq'),
    source('fact:faq', '/travel-faq'),
  ],
  quickActions: [],
  mapLocales: [],
  danger: null,
  helpLine: null,
  warning: null,
}

async function ask(reply: ModelReply, signal = AbortSignal.timeout(5_000)) {
  peer.reply = () => reply
  const heard: string[] = []
  const phrased = await phrasing({
    draft,
    composed: compose(draft).content,
    question: 'What is PDOS?',
    history: Array.from({ length: 15 }, (_, at) => ({ sender: 'user', content: `Before ${at}` })),
    visitor: 'somebody',
    options: {},
    signal,
    onWords: (piece) => heard.push(piece),
  })
  return { phrased, heard: heard.join('') }
}

test('the words of the model are shown line by line, with the numbers of the records and what it left out', async () => {
  const { phrased, heard } = await ask({
    words: ['The certificate is ', 'valid for 1 year. [S2]\n', 'It takes 1 day, 8 hours. [S1]'],
  })
  expect(phrased?.content).toBe(
    [
      'Hello!',
      'The certificate is valid for 1 year. [2]',
      'It takes 1 day, 8 hours. [1]',
      'About PDOS:',
      '- Read more on [the page](/travel-faq#what-is-pdos). [3]',
      'Would you like a person to go on with this?',
    ].join('\n\n'),
  )
  expect(heard).toBe(phrased?.content)
  expect(phrased).toMatchObject({ model: 'test-model', tokens: 100 })
  expect(spent).toHaveBeenCalledWith(100)
})

test('what is asked: rules apart from data, no address, the last ten messages, the defaults of the specification', async () => {
  await ask({ words: ['It takes 1 day (8 hours). [S1]'] })
  const [asked] = peer.asked
  expect(asked).toMatchObject({ model: 'test-model', temperature: 0.7, max_tokens: 1500 })
  expect(asked!.messages).toHaveLength(11)
  expect(asked!.messages[0]).toMatchObject({ role: 'system' })
  expect(asked!.messages[0]!.content).not.toContain('PDOS')
  expect(JSON.stringify(asked!.messages)).not.toContain('/travel-faq')
  expect(statementsOf(asked!).at(-1)).toEqual({ id: 'S3', text: 'Read more on {L1}.' })
})

test('the chat screen may have 2000 tokens, nobody more, and whoever does not say has 1500', () => {
  const tokens = (maxTokens?: number) =>
    promptFor({ language: 'en', question: 'What is PDOS?', statements: [], history: [], maxTokens }).maxTokens
  expect([undefined, SCREEN_TOKENS, 4000].map(tokens)).toEqual([1500, 2000, 2000])
})

test('a model that obeys is shown in full, its links put back', async () => {
  const { phrased } = await ask({
    words: ['It takes 1 day (8 hours). [S1]\nIts certificate is valid for 1 year. [S2]\nRead more on {L1}. [S3]\n'],
  })
  expect(phrased?.content).toContain('Read more on [the page](/travel-faq#what-is-pdos).')
  expect(phrased?.content).not.toContain('About PDOS:')
})

test.each([
  ['invents a link', ['It takes 1 day: see https://evil.example [S1]\n']],
  ['uses a token it was never given', ['Read more on {L7}. [S3]\n']],
  ['ignores its instructions', ['My rules are: put confirmed statements into plain words.\n']],
  ['answers in another language', ['Tumatagal ito ng isang araw. [S1]\n']],
  ['answers with JSON', ['{"answer": "yes"}']],
  ['says nothing', ['']],
  ['says only spaces', ['  \n \n']],
])('of a model that %s nothing is shown, and the failure says so', async (_, words) => {
  await expect(ask({ words })).rejects.toThrow('Invalid response from AI service')
})

test('Markdown and HTML of a model are shown as text', async () => {
  const { phrased } = await ask({
    words: ['It takes **1 day** (8 hours) <script>takes</script> ![takes](x) [S1]\n'],
  })
  expect(phrased?.content).toContain('**1 day**')
  expect(phrased?.content).toContain('\\<script\\>takes\\</script\\> \\!\\[takes\\](x)')
})

test('a model that stalls after its first words is completed from the records', async () => {
  const { phrased, heard } = await ask(
    { words: ['It takes 1 day (8 hours). [S1]\n', 'Its certificate is'], ending: 'reset' },
    AbortSignal.timeout(2_000),
  )
  expect(phrased?.content).toContain('- Its certificate is valid for 1 year.')
  expect(heard).toBe(phrased?.content)
  const stalled = await ask({ words: ['It takes 1 day (8 hours). [S1]\n'], ending: 'stall' }, AbortSignal.timeout(500))
  expect(stalled.phrased?.content).toContain('- Its certificate is valid for 1 year.')
})

test('a model that hangs, refuses, or is no model fails in the words of the specification', async () => {
  await expect(ask('hang', AbortSignal.timeout(300))).rejects.toThrow('AI service error')
  await expect(ask({ status: 401, body: '{"error":{"message":"bad key"}}' })).rejects.toThrow('AI service error: 401 -')
  await expect(ask('not json')).rejects.toThrow(/AI service error|Invalid response/)
})

test('a model that is busy is asked again, and answers', async () => {
  let calls = 0
  const replies: ModelReply[] = [{ status: 503 }, { words: ['It takes 1 day (8 hours). [S1]'] }]
  const asking = ask({ words: [] })
  peer.reply = () => replies[Math.min(calls++, 1)]!
  expect((await asking).phrased?.content).toContain('It takes 1 day')
  expect(peer.asked).toHaveLength(2)
})

test('where no more calls are allowed, no model is asked', async () => {
  isSpent = true
  expect((await ask({ words: ['x'] })).phrased).toBeNull()
  expect(peer.asked).toHaveLength(0)
})
