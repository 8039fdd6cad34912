import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Options {
  challenge: string
  rp?: { id?: string }
  rpId?: string
}

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

/** A WebAuthn authenticator with one passkey. `verifiesUser` false: no user verification. */
export function createAuthenticator({ origin, verifiesUser = true }: { origin: string; verifiesUser?: boolean }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let count = 0

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const about = (rpId: string, more: number) => {
    const flags = PRESENT | (device.verifiesUser ? VERIFIED : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count++)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags | more]), counter])
  }
  const answer = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  const device = {
    verifiesUser,
    /** Creates the passkey: returns what a browser sends after `navigator.credentials.create`. */
    create({ challenge, rp }: Options) {
      const { x, y } = publicKey.export({ format: 'jwk' })
      const key = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ])
      const length = Buffer.from([0, id.length])
      const authData = Buffer.concat([about(rp!.id!, WITH_KEY), Buffer.alloc(16), length, id, key])
      const attestation = cborMap([
        ['fmt', 'none'],
        ['attStmt', cborMap([])],
        ['authData', authData],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },

    /** Uses it: returns what a browser sends after `navigator.credentials.get`. */
    get({ challenge, rpId }: Options) {
      const client = clientData('webauthn.get', challenge)
      const authenticatorData = about(rpId!, 0)
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
  return device
}

class Cbor extends Buffer {}

/** The part of CBOR (RFC 8949) that passkeys need: integers, text, bytes and maps of them. */
function cborMap(entries: [number | string, number | string | Buffer][]): Cbor {
  const chunks = entries.flatMap(([key, value]) => [cbor(key), cbor(value)])
  return Object.setPrototypeOf(Buffer.concat([head(5, entries.length), ...chunks]), Cbor.prototype)
}

function cbor(value: number | string | Buffer): Buffer {
  if (value instanceof Cbor) return value
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  const bytes = Buffer.from(value as string)
  return Buffer.concat([head(typeof value === 'string' ? 3 : 2, bytes.length), bytes])
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size])
  return size < 256 ? Buffer.from([(kind << 5) | 24, size]) : Buffer.from([(kind << 5) | 25, size >> 8, size & 255])
}
