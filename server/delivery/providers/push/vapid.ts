import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Database } from '#server/db/connection.ts'

export interface PushKeys {
  /** Sent to browsers: the base64url-encoded point. */
  publicKey: string
  privateKey: string
}

const NAME = 'push'
const VALID_MS = 12 * 3_600_000
/** Tokens are renewed this long before they expire, to allow for clock differences. */
const RENEWED_MS = 6 * 3_600_000

/**
 * The configured keys, or those that the first node generates and stores in the database. After a key change, existing
 * subscriptions stop working until the browser subscribes again.
 */
export async function pushKeysOf(database: Database, configured: PushKeys | undefined): Promise<PushKeys> {
  if (configured) return configured
  const { kysely } = database.background
  const find = () => kysely.selectFrom('auth_secrets').select('value').where('name', '=', NAME).executeTakeFirst()
  let row = await find()
  if (!row) {
    const { publicKey, privateKey } = makePushKeys()
    await kysely
      .insertInto('auth_secrets')
      .values({ name: NAME, value: `${publicKey} ${privateKey}` })
      .onConflict((c) => c.doNothing())
      .execute()
    row = await find()
  }
  const [publicKey, privateKey] = row!.value.split(' ') as [string, string]
  return { publicKey, privateKey }
}

export function makePushKeys(): PushKeys {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // getPrivateKey drops leading zeros.
  const secret = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: secret.toString('base64url') }
}

/** Identifies the sender to push services (RFC 8292): one signed token per origin, cached for hours. */
export function pushSigner({ publicKey, privateKey }: PushKeys, contact: string, now: () => number = Date.now) {
  const key = privateKeyOf({ publicKey, privateKey })
  const cache = new Map<string, { header: string; until: number }>()
  return (origin: string): string => {
    const known = cache.get(origin)
    if (known && known.until > now()) return known.header
    const claims = { aud: origin, exp: Math.floor((now() + VALID_MS) / 1_000), sub: contact }
    const signed = `${HEADER}.${base64url(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    const header = `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
    if (cache.size > MAX_ORIGINS) cache.clear()
    cache.set(origin, { header, until: now() + VALID_MS - RENEWED_MS })
    return header
  }
}

// Browsers supply the push service's URL; in practice there are only a handful.
const MAX_ORIGINS = 1_000
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = base64url({ typ: 'JWT', alg: 'ES256' })

function privateKeyOf({ publicKey, privateKey }: PushKeys): KeyObject {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' })
}
