import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/log.ts'
import { type ModelReply, startModelPeer, statementsOf } from '#server/testing/model.ts'
import { SCREEN_TOKENS } from '#shared/assistant/limits.ts'
import { createChoosing } from './model-choice.ts'
import { promptFor } from './prompt.ts'
import { createModel } from './provider.ts'

const peer = await startModelPeer(() => ({ chunks: [] }))
afterAll(() => peer.close())
const spent = vi.fn()
let isSpent = false
beforeEach(() => {
  peer.requests.length = 0
  spent.mockClear()
  isSpent = false
})
const choosing = createChoosing({
  model: createModel({ url: peer.url, key: 'secret', name: 'test-model' }),
  spending: { take: async () => !isSpent, spent },
  log: createLog('silent'),
})
const choosable = ['It takes 1 day (8 hours).', 'It is valid for 1 year.', 'Ask a coordinator.'].map((text, at) => ({
  id: `S${at + 1}`,
  text,
}))
const about = { language: 'en', choosable, question: 'What is PDOS?', options: {} } as const

async function ask(reply: ModelReply, signal = AbortSignal.timeout(5_000)) {
  peer.reply = () => reply
  const history = Array.from({ length: 15 }, (_, at) => ({ sender: 'user' as const, content: `Before ${at}` }))
  const choice = await choosing({ ...about, history, visitor: 'a visitor', signal })
  return choice && { ...choice, ids: choice.picks.map(({ id }) => id) }
}

test('the ids in the output are the choice, and its cost is counted', async () => {
  expect(await ask({ chunks: ['S', '2\n', 'C2 S1', '\nno more'] })).toMatchObject({
    ids: ['S2', 'S1'],
    picks: [{ connector: null }, { connector: 'C2' }],
    model: 'test-model',
    tokens: 100,
  })
  expect(spent).toHaveBeenCalledWith(100)
})

test('the request separates rules from data and has the last ten messages and the specified defaults', async () => {
  await ask({ chunks: ['S1'] })
  const [request] = peer.requests
  expect(request).toMatchObject({ model: 'test-model', temperature: 0.7, max_tokens: 1500 })
  expect(request!.messages).toHaveLength(11)
  expect(request!.messages[0]).toMatchObject({ role: 'system' })
  expect(request!.messages[0]!.content).not.toContain('PDOS')
  expect(statementsOf(request!)).toEqual(choosable)
})

test('the limit is 2000 tokens, as used by the chat screen, and the default is 1500', () => {
  const tokens = (max_tokens?: number) =>
    promptFor({ ...about, history: [], options: max_tokens ? { max_tokens } : {} }).maxTokens
  expect([undefined, SCREEN_TOKENS, 4000].map(tokens)).toEqual([1500, 2000, 2000])
})

test.each([
  ['states something', ['It is safe there, there is nothing to fear.\n']],
  ['names what it was not offered', ['S9\nS77\n']],
  ['ignores its instructions', ['My rules are: put statements in order.\n']],
  ['says nothing', ['']],
  ['says only spaces', ['  \n \n']],
])('nothing is used of a model that %s, and the error says so', async (_, chunks) => {
  await expect(ask({ chunks })).rejects.toThrow('Invalid response from AI service')
})

test('endless output is cut off, and the choice is what it named first', async () => {
  const endless = Array.from({ length: 3_000 }, (_, at) => (at === 1 ? 'S3 ' : 'and so on '))
  expect((await ask({ chunks: endless }))?.ids).toEqual(['S3'])
  await expect(ask({ chunks: endless.filter((chunk) => chunk !== 'S3 ') })).rejects.toThrow('Invalid response')
})

test('reading stops once every id is named', async () => {
  const choice = await ask({ chunks: ['S3 S1 S2.'], ending: 'stall' }, AbortSignal.timeout(4_000))
  expect(choice?.ids).toEqual(['S3', 'S1', 'S2'])
  expect(choice!.tokens).toBeGreaterThan(0)
})

test('output that breaks off or stalls after its first ids counts as a choice of those', async () => {
  expect((await ask({ chunks: ['S2\n', 'S'], ending: 'reset' }))?.ids).toEqual(['S2'])
  expect((await ask({ chunks: ['S2\n'], ending: 'stall' }, AbortSignal.timeout(500)))?.ids).toEqual(['S2'])
})

test('a timeout, a refusal or a non-model response fails with the wording of the specification', async () => {
  await expect(ask('hang', AbortSignal.timeout(300))).rejects.toThrow('AI service error')
  await expect(ask({ status: 401, body: '{"error":{"message":"bad key"}}' })).rejects.toThrow('AI service error: 401 -')
  await expect(ask('not json')).rejects.toThrow(/AI service error|Invalid response/)
})

test('a busy model is retried and answers', async () => {
  let calls = 0
  const replies: ModelReply[] = [{ status: 503 }, { chunks: ['S1'] }]
  const asking = ask({ chunks: [] })
  peer.reply = () => replies[Math.min(calls++, 1)]!
  expect((await asking)?.ids).toEqual(['S1'])
  expect(peer.requests).toHaveLength(2)
})

test('the model is not called once the limit is reached', async () => {
  isSpent = true
  expect(await ask({ chunks: ['S1'] })).toBeNull()
  expect(peer.requests).toHaveLength(0)
})
