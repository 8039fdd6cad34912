import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Kind } from '#shared/delivery/kinds.ts'

/** What the link of a mail ends: a kind of mail, or the one subscription that it came by. */
export interface Unsubscribing {
  userId: string
  kind: Kind
  subscriptionId?: string
}

export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>

/**
 * Links that end mail without signing in. The same person and kind always have the same link, and none ends by itself:
 * a mail may be read, and regretted, after a year.
 */
export function createUnsubscribeLinks(secret: string) {
  // A key of its own, so that nothing else the portal signs can pass for such a link.
  const key = createSecretKey(createHmac('sha256', secret).update('portal.notifications.unsubscribe').digest())
  const signatureOf = (claim: Buffer) => createHmac('sha256', key).update(claim).digest().subarray(0, SIGNATURE_BYTES)
  return {
    sign({ userId, kind, subscriptionId = '' }: Unsubscribing): string {
      const ids = (userId + subscriptionId).replaceAll('-', '')
      const claim = Buffer.concat([Buffer.from(LETTERS[kind]), Buffer.from(ids, 'hex')])
      return Buffer.concat([claim, signatureOf(claim)]).toString('base64url')
    },

    /** What a link ends; undefined when the portal never made it. */
    read(token: string): Unsubscribing | undefined {
      const bytes = Buffer.from(token, 'base64url')
      const claim = bytes.subarray(0, -SIGNATURE_BYTES)
      // A second spelling of the same bytes is not a link that the portal made.
      if (!CLAIM_BYTES.includes(claim.length) || bytes.toString('base64url') !== token) return undefined
      if (!timingSafeEqual(signatureOf(claim), bytes.subarray(-SIGNATURE_BYTES))) return undefined
      const kind = (Object.keys(LETTERS) as Kind[]).find((name) => LETTERS[name] === claim.toString('latin1', 0, 1))
      if (!kind) return undefined
      const of = claim.length > 17 ? { subscriptionId: idOf(claim.subarray(17)) } : {}
      return { userId: idOf(claim.subarray(1, 17)), kind, ...of }
    },
  }
}

const SIGNATURE_BYTES = 16
/** A letter and a person, and perhaps a subscription. */
const CLAIM_BYTES = [1 + 16, 1 + 16 + 16]
/** As they stand in links that are out: never reused for another kind. */
const LETTERS: Record<Kind, string> = { advisory: 'a', notice: 'n', roll_call: 'c', reminder: 'r' }

const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
