import { type HttpPeer, startHttpPeer } from './http-peer.ts'

export interface WhatsAppPeer extends HttpPeer {
  /** Messages sent. */
  messages: () => Record<string, unknown>[]
}

let made = 0

/** Stands in for WhatsApp's Cloud API: accepts every message under a new id. */
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

/** The Graph API's response to a rejected request. */
export const whatsAppError = (status: number, code: number, message: string) => ({
  status,
  body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'x' } },
})
