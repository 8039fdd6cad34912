import { randomInt } from 'node:crypto'

// Without those that are taken for one another when read aloud.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** A reference that people say aloud; it alone opens nothing. */
export function newReference(now: Date): string {
  const random = Array.from({ length: 7 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `CASE-${now.getUTCFullYear()}-${random}`
}
