import { createHmac, randomInt } from 'node:crypto'

const COUNT = 10
const LENGTH = 10
/** Without ambiguous letters and digits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Recovery codes, each good for one sign-in without the authenticator: "k3m9x-p2vtq". */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    return `${letters.slice(0, 5)}-${letters.slice(5)}`
  })
}

/** Keyed hash: codes can neither be read from the database nor brute-forced without the portal's secret. */
export function hashRecoveryCode(code: string, secret: string): string {
  const letters = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return createHmac('sha256', `recovery codes ${secret}`).update(letters).digest('base64url')
}
