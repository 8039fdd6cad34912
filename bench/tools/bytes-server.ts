// A process that only answers known paths with predefined bytes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StoredAnswer } from './bytes.ts'

process.once('message', (answers: Map<string, StoredAnswer>) => {
  const server = createServer((request, response) => {
    const answer = answers.get(request.url!)
    if (answer) response.writeHead(200, answer.headers).end(answer.body)
    else response.writeHead(404, { 'content-length': '0' }).end()
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
})
