import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request to a model, as an OpenAI-compatible endpoint receives it. */
export interface ModelRequest {
  model: string
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[]
  temperature?: number
  max_tokens?: number
}

/** Its response: text in chunks, a status, none, text followed by silence, or invalid JSON. */
export type ModelReply =
  | { chunks: readonly string[]; pause?: number }
  | { status: number; body?: string; headers?: Record<string, string> }
  | { chunks: readonly string[]; ending: 'stall' | 'reset' }
  | 'hang'
  | 'not json'

export type ModelPeer = Awaited<ReturnType<typeof startModelPeer>>

/** A local OpenAI-compatible endpoint scripted by the test; `reply` may be changed during it. */
export async function startModelPeer(reply: (request: ModelRequest, call: number) => ModelReply) {
  const requests: ModelRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const question = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ModelRequest
    requests.push(question)
    await answer(response, peer.reply(question, requests.length))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    reply,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return peer
}

async function answer(response: ServerResponse, reply: ModelReply) {
  if (reply === 'hang') return
  if (reply === 'not json')
    return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: <html>busy</html>\n\n')
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    return void response.end(reply.body ?? '{"error":{"message":"busy"}}')
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of reply.chunks) {
    response.write(chunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] }))
    if ('pause' in reply && reply.pause) await sleep(reply.pause)
  }
  if ('ending' in reply) {
    if (reply.ending === 'stall') return
    // Lets the written data arrive before the connection is closed.
    await sleep(50)
    return void response.destroy()
  }
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  response.write(chunk({ choices: [], usage: { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 } }))
  response.end('data: [DONE]\n\n')
}

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'peer', ...fields })}\n\n`

/** The statements contained in a request to the model. */
export const statementsOf = ({ messages }: ModelRequest): { id: string; text: string }[] =>
  (JSON.parse(messages.at(-1)!.content) as { statements: { id: string; text: string }[] }).statements

/** A model that follows its rules: cites each statement by id, the last one first. */
export const obedient = (request: ModelRequest): ModelReply => ({
  chunks: statementsOf(request)
    .toReversed()
    .map(({ id }) => `${id}\n`),
})
