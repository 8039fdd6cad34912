import { createHmac, timingSafeEqual } from 'node:crypto'

export const ANSWER_LINK_DAYS = 30

/** Payload of an answer link: roll call and recipient, as row ids. */
export interface AnswerClaim {
  rollCall: string
  user: string
}

/**
 * Signed links that answer a roll call without signing in: one roll call, one recipient, an expiry. Must be fast, since
 * each message has its own.
 */
export function createAnswerLinks(secret: string) {
  // A separate key, so that no other signature of the portal can pass as such a link.
  const key = createHmac('sha256', secret).update('portal.roll-calls.answer').digest()
  const signatureOf = (claim: Buffer) => createHmac('sha256', key).update(claim).digest().subarray(0, SIGNATURE_BYTES)
  return {
    sign({ rollCall, user }: AnswerClaim, now: Date): string {
      const token = Buffer.allocUnsafe(CLAIM_BYTES + SIGNATURE_BYTES)
      token.write(rollCall.replaceAll('-', ''), 0, 'hex')
      token.write(user.replaceAll('-', ''), 16, 'hex')
      token.writeUInt32BE(Math.floor(now.valueOf() / 1000) + ANSWER_LINK_DAYS * 86_400, 32)
      signatureOf(token.subarray(0, CLAIM_BYTES)).copy(token, CLAIM_BYTES)
      return token.toString('base64url')
    },

    /** The content of a link; 'forged' if the portal did not create it, 'expired' if it is too old. */
    read(token: string, now: Date): AnswerClaim | 'forged' | 'expired' {
      const bytes = Buffer.from(token, 'base64url')
      // Rejects a non-canonical encoding of the same bytes.
      if (bytes.length !== CLAIM_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return 'forged'
      const claim = bytes.subarray(0, CLAIM_BYTES)
      if (!timingSafeEqual(signatureOf(claim), bytes.subarray(CLAIM_BYTES))) return 'forged'
      if (claim.readUInt32BE(32) * 1000 <= now.valueOf()) return 'expired'
      return { rollCall: idOf(claim.subarray(0, 16)), user: idOf(claim.subarray(16, 32)) }
    },
  }
}

/** URL of an answer link. */
export const answerAddress = (publicUrl: string, token: string) => `${publicUrl}/answer/${token}`

/** The answer link of a recipient, by placeholder name: each recipient of a roll call answers through their own. */
export function createAnswerUrls({ publicUrl, secret }: { publicUrl: string; secret: string }) {
  const links = createAnswerLinks(secret)
  return ({ rollCallId }: { rollCallId: string | null }, user: string): Record<string, string> =>
    rollCallId ? { answer: answerAddress(publicUrl, links.sign({ rollCall: rollCallId, user }, new Date())) } : {}
}

const CLAIM_BYTES = 16 + 16 + 4
/** 128 bits cannot be guessed, and keep text messages short. */
const SIGNATURE_BYTES = 16

const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
