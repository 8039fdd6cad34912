import { type HttpPeer, startHttpPeer } from './http-peer.ts'

export interface WhatsAppPeer extends HttpPeer {
  /** What was sent. */
  messages: () => Record<string, unknown>[]
}

let made = 0

/** Stands in for WhatsApp's Cloud API: takes every message under a name of its own. */
export async function startWhatsAppPeer(port = 0): Promise<WhatsAppPeer> {
  const peer = await startHttpPeer(({ body }) => {
    const { to } = JSON.parse(body.toString('utf8')) as { to: string }
    made += 1
    const answer = {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to.replace('+', '') }],
      messages: [{ id: `wamid.${made}`, message_status: 'accepted' }],
    }
    return { status: 200, body: answer }
  }, port)
  return Object.assign(peer, { messages: () => peer.requests.map(({ body }) => JSON.parse(body.toString('utf8'))) })
}

/** The answer of the Graph API to a request that it refuses. */
export const whatsAppError = (status: number, code: number, message: string) => ({
  status,
  body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'x' } },
})
