import { createECDH, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { areBrowserKeys, encryptForBrowser } from './encryption.ts'
import { makePushKeys, pushSigner } from './vapid.ts'

const vectors = JSON.parse(
  readFileSync(new URL('../../../../fixtures/contracts/web-push-vectors.json', import.meta.url), 'utf8'),
)
const bytes = (text: string) => Buffer.from(text, 'base64url')

test('a message is encrypted as in appendix A of RFC 8291', () => {
  const { plaintext, as_private, ua_public, auth_secret, salt, body } = vectors.rfc8291_appendix_a
  const own = createECDH('prime256v1')
  own.setPrivateKey(bytes(as_private))
  const keys = { p256dh: ua_public, auth: auth_secret }
  expect(encryptForBrowser(keys, Buffer.from(plaintext), { own, salt: bytes(salt) }).toString('base64url')).toBe(body)
  expect(encryptForBrowser(keys, Buffer.from(plaintext))).not.toEqual(encryptForBrowser(keys, Buffer.from(plaintext)))
})

test('the example token of RFC 8292 has our format and passes the same signature check', () => {
  const { authorization, jwt, k, claims } = vectors.rfc8292_section_2_4
  expect(isSigned(jwt, k)).toBe(true)
  expect(authorization).toMatch(/^vapid t=[\w.-]+, k=[\w-]+$/)
  const keys = makePushKeys()
  let now = Date.parse('2026-11-21T19:00:00Z')
  const headerFor = pushSigner(keys, claims.sub, () => now)
  const header = headerFor(claims.aud)
  const [, own, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header)!
  expect(isSigned(own!, key!)).toBe(true)
  const segment = (token: string, at: number) => JSON.parse(bytes(token.split('.')[at]!).toString())
  expect(segment(own!, 0)).toEqual(segment(jwt, 0))
  expect(segment(own!, 1)).toEqual({ ...claims, exp: now / 1_000 + 12 * 3_600 })
  now += 5 * 3_600_000
  expect(headerFor(claims.aud)).toBe(header)
  now += 3_600_000
  expect(headerFor(claims.aud)).not.toBe(header)
  expect(headerFor('https://other.example')).not.toBe(headerFor(claims.aud))
})

test('detects unusable keys', () => {
  const { ua_public: p256dh, auth_secret: auth } = vectors.rfc8291_appendix_a
  expect(areBrowserKeys({ p256dh, auth })).toBe(true)
  const point = bytes(p256dh)
  point[64]! ^= 1
  expect(areBrowserKeys({ p256dh: point.toString('base64url'), auth })).toBe(false)
  expect(areBrowserKeys({ p256dh: p256dh.slice(0, 40), auth })).toBe(false)
  expect(areBrowserKeys({ p256dh, auth: auth.slice(2) })).toBe(false)
  expect(areBrowserKeys({ p256dh: '', auth: '' })).toBe(false)
})

function isSigned(token: string, publicKey: string): boolean {
  const point = bytes(publicKey)
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const [head, body, signature] = token.split('.')
  return verify('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }, bytes(signature!))
}
