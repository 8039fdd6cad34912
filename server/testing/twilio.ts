import { type HttpPeer, startHttpPeer } from './http-peer.ts'

export interface TwilioPeer extends HttpPeer {
  /** Messages sent, as the posted forms. */
  texts: () => Record<string, string>[]
}

let made = 0

/** Stands in for Twilio's Messages API: accepts every message under a new id. */
export async function startTwilioPeer(port = 0): Promise<TwilioPeer> {
  const peer = await startHttpPeer(({ body, path }) => {
    const form = formOf(body)
    made += 1
    const sid = `SM${String(made).padStart(32, '0')}`
    const [, account] = /Accounts\/(\w+)\//.exec(path) ?? []
    const answer = { sid, account_sid: account, status: 'queued', to: form.To, body: form.Body, error_code: null }
    return { status: 201, body: answer }
  }, port)
  return Object.assign(peer, { texts: () => peer.requests.map(({ body }) => formOf(body)) })
}

/** Twilio's response to a rejected request. */
export const twilioError = (status: number, code: number, message: string) => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})

const formOf = (body: Buffer) => Object.fromEntries(new URLSearchParams(body.toString('utf8')))
