import { randomInt } from 'node:crypto'

// Omits characters that are easily confused when read aloud.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** A reference to read out on the phone. It does not grant access. */
export function newReference(now: Date): string {
  const random = Array.from({ length: 7 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `CASE-${now.getUTCFullYear()}-${random}`
}
