import { createHmac, randomBytes } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
/** Phone clocks drift: the steps before and after are accepted too. */
const TOLERANCE = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new authenticator secret (RFC 4226: 160 bits), in base32 for typing. */
export const newSecret = () => base32(randomBytes(20))

/** The URI that an authenticator app reads from the QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer })}`
}

/** The time step (RFC 6238) of a code that is valid at this time, or undefined. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const present = Math.floor(now.valueOf() / 1000 / STEP_SECONDS)
  const steps = Array.from({ length: 2 * TOLERANCE + 1 }, (_, at) => present - TOLERANCE + at)
  return steps.filter((step) => codeAt(secret, step) === code).at(-1)
}

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = hash.readUInt32BE(hash.readUInt8(hash.length - 1) & 15) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
