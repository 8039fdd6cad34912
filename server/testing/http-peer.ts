import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A provider's response to a request: the usual one, a status (with body and headers), none, an invalid response, or a
 * connection closed after the request.
 */
export type PeerBehavior =
  | 'accept'
  | 'hang'
  | 'reset'
  | 'malformed'
  | { status: number; body?: unknown; headers?: Record<string, string>; after?: number }

export interface PeerRequest {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface HttpPeer {
  url: string
  port: number
  requests: PeerRequest[]
  /** How requests are answered; may be changed during the test. */
  answer: (request: PeerRequest) => PeerBehavior
  close(): Promise<void>
}

/** A local server standing in for a provider; `accept` writes the response to an accepted request. */
export async function startHttpPeer(
  accept: (request: PeerRequest) => { status: number; body?: unknown; headers?: Record<string, string> },
  port = 0,
): Promise<HttpPeer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const peerRequest = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
    peer.requests.push(peerRequest)
    const answer = peer.answer(peerRequest)
    if (answer === 'hang') return
    if (answer === 'reset') return void request.socket.resetAndDestroy()
    if (answer === 'malformed') return void response.writeHead(201).end('<html>{"sid":')
    const { after = 0 } = typeof answer === 'object' ? answer : {}
    if (after) await new Promise((wait) => setTimeout(wait, after))
    write(response, answer === 'accept' ? accept(peerRequest) : answer)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const listening = (server.address() as AddressInfo).port
  const peer: HttpPeer = {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    requests: [],
    answer: () => 'accept',
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return peer
}

function write(response: ServerResponse, answer: { status: number; body?: unknown; headers?: Record<string, string> }) {
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
  response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
}
