import { type HttpPeer, startHttpPeer } from './http-peer.ts'

export interface TwilioPeer extends HttpPeer {
  /** What was sent, as the forms that were posted. */
  texts: () => Record<string, string>[]
}

let made = 0

/** Stands in for Twilio's Messages API: takes every message under a name of its own. */
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

/** The answer of Twilio to a request that it refuses. */
export const twilioError = (status: number, code: number, message: string) => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})

const formOf = (body: Buffer) => Object.fromEntries(new URLSearchParams(body.toString('utf8')))
