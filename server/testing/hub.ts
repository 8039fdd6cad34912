import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HubMember {
  password: string
  /** The hub also requires this code from these members. */
  code?: string
  /** User data in the hub's response. */
  user?: Record<string, unknown>
}

export interface HubPeer {
  url: string
  /** By user name. */
  members: Record<string, HubMember>
  /** Requests from the portal, in order. */
  requests: Record<string, unknown>[]
  /** Handles the request instead of the hub if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  close(): Promise<void>
}

/** A local server standing in for the member hub. */
export async function hubPeer(members: Record<string, HubMember> = {}): Promise<HubPeer> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const peer: HubPeer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub-auth`,
    members,
    requests: [],
    intercept: () => false,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  server.on('request', async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const payload = JSON.parse(text) as Record<string, string>
    peer.requests.push(payload)
    if (peer.intercept(request, response)) return
    const [status, body] = answerOf(peer.members, payload)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return peer
}

function answerOf(members: Record<string, HubMember>, payload: Record<string, string>): [number, object] {
  const member = members[payload.userName ?? '']
  if (!member || member.password !== payload.password) return [401, { message: 'Unauthorized' }]
  const token = 'a token of the hub'
  if (member.code === undefined) return [200, { token, user: member.user ?? {} }]
  if (payload.action !== 'login2fa') return [200, { requires2FA: true }]
  if (member.code !== payload.twoFactorCode) return [400, { message: 'Invalid 2FA code' }]
  return [200, { mcgi_hub_token: token, userData: member.user ?? {} }]
}
