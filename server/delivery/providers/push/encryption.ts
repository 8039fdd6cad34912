import {
  createCipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  createSecretKey,
  type ECDH,
  randomBytes,
} from 'node:crypto'

/** Keys from the browser, so that only it can decrypt its messages (RFC 8291). */
export interface BrowserKeys {
  p256dh: string
  auth: string
}

/** Fits into the single record that every push service accepts. */
export const MAX_PUSH_BYTES = 3_993
const RECORD_SIZE = 4_096
// Keys are passed as KeyObjects: for raw bytes the library detects the type with a caught exception.
const KEY_INFO = Buffer.from('WebPush: info\0')
const CONTENT_KEY_INFO = Buffer.from('Content-Encoding: aes128gcm\0\x01')
const NONCE_INFO = Buffer.from('Content-Encoding: nonce\0\x01')
const LAST_RECORD = Buffer.from([2])
const HKDF_COUNTER = Buffer.from([1])

// The ECDH object is created once; each message gets a new key pair.
const pair = createECDH('prime256v1')

/** The request body for a push service: one aes128gcm record (RFC 8188). `given` is for test vectors only. */
export function encryptForBrowser(
  keys: BrowserKeys,
  payload: Buffer,
  testVector?: { own: ECDH; salt: Buffer },
): Buffer {
  const own = testVector?.own ?? pair
  const ownPublic = testVector ? own.getPublicKey() : own.generateKeys()
  const salt = testVector?.salt ?? randomBytes(16)
  const browser = Buffer.from(keys.p256dh, 'base64url')
  const shared = own.computeSecret(browser)
  const inner = hmac(hmac(Buffer.from(keys.auth, 'base64url'), shared), KEY_INFO, browser, ownPublic, HKDF_COUNTER)
  const root = hmac(salt, inner)
  const contentKey = hmac(root, CONTENT_KEY_INFO).subarray(0, 16)
  const nonce = hmac(root, NONCE_INFO).subarray(0, 12)
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_SIZE)
  header[4] = ownPublic.length
  const cipher = createCipheriv('aes-128-gcm', createSecretKey(contentKey), nonce)
  const sealed = [cipher.update(payload), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, header, ownPublic, ...sealed])
}

/** Whether the keys are usable: a point on the curve, and sixteen bytes. */
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

function hmac(key: Buffer, ...chunks: Buffer[]): Buffer {
  const made = createHmac('sha256', createSecretKey(key))
  for (const chunk of chunks) made.update(chunk)
  return made.digest()
}
