import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { type HttpPeer, type PeerRequest, startHttpPeer } from './http-peer.ts'

export interface PushPeer extends HttpPeer {
  /** A browser of this service, as registered with the portal. */
  newBrowser(): { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Messages to its browsers, decrypted. */
  messages(): { endpoint: string; headers: PeerRequest['headers']; payload: Record<string, string> }[]
}

/** A local push service: accepts messages for its browsers and decrypts them as they would. */
export async function startPushPeer(port = 0): Promise<PushPeer> {
  const browsers = new Map<string, { own: ReturnType<typeof createECDH>; auth: Buffer }>()
  const peer = await startHttpPeer(
    ({ path }) => (browsers.has(path) ? { status: 201, headers: { location: `${path}/message` } } : { status: 410 }),
    port,
  )
  return Object.assign(peer, {
    newBrowser() {
      const path = `/browser/${randomBytes(8).toString('hex')}`
      const own = createECDH('prime256v1')
      own.generateKeys()
      const auth = randomBytes(16)
      browsers.set(path, { own, auth })
      const keys = { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') }
      return { endpoint: `${peer.url}${path}`, keys }
    },
    messages: () =>
      peer.requests.flatMap(({ path, headers, body }) => {
        const browser = browsers.get(path)
        if (!browser) return []
        const payload = JSON.parse(decrypt(body, browser).toString('utf8')) as Record<string, string>
        return [{ endpoint: `${peer.url}${path}`, headers, payload }]
      }),
  })
}

/** RFC 8291, on the browser's side. */
function decrypt(body: Buffer, { own, auth }: { own: ReturnType<typeof createECDH>; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body[20]!)
  const sealed = body.subarray(21 + body[20]!)
  const derive = (key: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
  const secret = derive(own.computeSecret(sender), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2))
}
