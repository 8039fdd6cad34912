import { createCipheriv, createECDH, createPublicKey, type ECDH, hash, randomBytes } from 'node:crypto'

/** What a browser gives so that only it can read what it is told (RFC 8291). */
export interface BrowserKeys {
  p256dh: string
  auth: string
}

/** What fits into the one record that every push service takes. */
export const MOST_PUSH_BYTES = 3_993
const RECORD_SIZE = 4_096
const KEY_INFO = Buffer.from('WebPush: info\0')
const CONTENT_KEY_INFO = Buffer.from('Content-Encoding: aes128gcm\0\x01')
const NONCE_INFO = Buffer.from('Content-Encoding: nonce\0\x01')
const LAST_RECORD = Buffer.from([2])
const ONE = Buffer.from([1])

/** The body of a request to a push service: one record of aes128gcm (RFC 8188). `given` is for vectors only. */
export function encryptForBrowser(keys: BrowserKeys, payload: Buffer, given?: { own: ECDH; salt: Buffer }): Buffer {
  const own = given?.own ?? createECDH('prime256v1')
  const ownPublic = given ? own.getPublicKey() : own.generateKeys()
  const salt = given?.salt ?? randomBytes(16)
  const browser = Buffer.from(keys.p256dh, 'base64url')
  const shared = own.computeSecret(browser)
  const inner = hmac(hmac(Buffer.from(keys.auth, 'base64url'), shared), KEY_INFO, browser, ownPublic, ONE)
  const root = hmac(salt, inner)
  const contentKey = hmac(root, CONTENT_KEY_INFO).subarray(0, 16)
  const nonce = hmac(root, NONCE_INFO).subarray(0, 12)
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_SIZE)
  header[4] = ownPublic.length
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  const sealed = [cipher.update(payload), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, header, ownPublic, ...sealed])
}

/** Whether something can be encrypted with them: a point of the curve, and sixteen bytes. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

/**
 * HMAC-SHA-256 (RFC 2104) for keys of at most one block. Of the library's own, each call costs as much as three of these:
 * it makes an object of the key, and a message needs five.
 */
function hmac(key: Buffer, ...parts: Buffer[]): Buffer {
  const [inner, outer] = [Buffer.alloc(BLOCK, 0x36), Buffer.alloc(BLOCK, 0x5c)]
  for (const [at, byte] of key.entries()) {
    inner[at]! ^= byte
    outer[at]! ^= byte
  }
  return sha256(outer, sha256(inner, ...parts))
}
const BLOCK = 64
const sha256 = (...parts: Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')
