import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createModel } from './provider.ts'

test('a redirect by the model is not followed with the key and the question', async () => {
  const visited: (string | undefined)[] = []
  const server = createServer((request, response) => {
    visited.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const model = createModel({ url, key: 'a key', name: 'a model' })
  const prompt = { system: '', messages: [{ role: 'user' as const, content: 'Where?' }], temperature: 0, maxTokens: 9 }
  const { textStream } = model.stream(prompt, AbortSignal.timeout(10_000))
  await expect(textStream[Symbol.asyncIterator]().next()).rejects.toThrow()
  expect(visited).toEqual(['/v1/chat/completions'])
})
