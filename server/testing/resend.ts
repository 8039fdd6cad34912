import { randomUUID } from 'node:crypto'
import { type HttpPeer, startHttpPeer } from './http-peer.ts'

export interface ResendPeer extends HttpPeer {
  /** Accepted mails, one per key. */
  mails(): Record<string, unknown>[]
}

/** A local service that accepts mail like Resend: once per key within a day. */
export async function startResendPeer(port = 0): Promise<ResendPeer> {
  const taken = new Map<string, { at: number; body: string; id: string }>()
  const peer = await startHttpPeer(({ path, headers, body }) => {
    const refused = (status: number, name: string, message: string) => ({
      status,
      body: { statusCode: status, name, message },
    })
    if (path !== '/emails') return refused(404, 'not_found', 'The requested endpoint does not exist.')
    if (!/^Bearer re_/.test(headers.authorization ?? '')) return refused(403, 'invalid_api_key', 'API key is invalid.')
    const key = String(headers['idempotency-key'] ?? randomUUID())
    if (key.length > 256) return refused(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.')
    const text = body.toString('utf8')
    const known = taken.get(key)
    if (known && Date.now() - known.at < 86_400_000) {
      if (known.body === text) return { status: 200, body: { id: known.id } }
      return refused(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.')
    }
    const id = randomUUID()
    taken.set(key, { at: Date.now(), body: text, id })
    return { status: 200, body: { id } }
  }, port)
  return Object.assign(peer, {
    mails: () => [...taken.values()].map(({ body }) => JSON.parse(body) as Record<string, unknown>),
  })
}
