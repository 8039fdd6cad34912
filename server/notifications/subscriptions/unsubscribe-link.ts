import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Kind } from '#shared/delivery/kinds.ts'

/** What an unsubscribe link ends: a kind of mail, or the subscription behind the mail. */
export interface UnsubscribePayload {
  userId: string
  kind: Kind
  subscriptionId?: string
}

/**
 * Signed links that end mail without signing in. Deterministic per user and kind, and without expiry, since a mail may
 * be read after a year.
 */
export function createUnsubscribeLinks(secret: string) {
  // A separate key, so that no other signature of the portal can pass as such a link.
  const key = createSecretKey(createHmac('sha256', secret).update('portal.notifications.unsubscribe').digest())
  const signatureOf = (claim: Buffer) => createHmac('sha256', key).update(claim).digest().subarray(0, SIGNATURE_BYTES)
  return {
    sign({ userId, kind, subscriptionId = '' }: UnsubscribePayload): string {
      const ids = (userId + subscriptionId).replaceAll('-', '')
      const claim = Buffer.concat([Buffer.from(LETTERS[kind]), Buffer.from(ids, 'hex')])
      return Buffer.concat([claim, signatureOf(claim)]).toString('base64url')
    },

    /** The content of a link; undefined if the portal did not create it. */
    read(token: string): UnsubscribePayload | undefined {
      const bytes = Buffer.from(token, 'base64url')
      const claim = bytes.subarray(0, -SIGNATURE_BYTES)
      // Rejects a non-canonical encoding of the same bytes.
      if (!CLAIM_BYTES.includes(claim.length) || bytes.toString('base64url') !== token) return undefined
      if (!timingSafeEqual(signatureOf(claim), bytes.subarray(-SIGNATURE_BYTES))) return undefined
      const kind = (Object.keys(LETTERS) as Kind[]).find((name) => LETTERS[name] === claim.toString('latin1', 0, 1))
      if (!kind) return undefined
      const of = claim.length > 17 ? { subscriptionId: idOf(claim.subarray(17)) } : {}
      return { userId: idOf(claim.subarray(1, 17)), kind, ...of }
    },
  }
}

/** The links in a mail that end what they are signed for: a page, and the target of a one-click request. */
export function createUnsubscribeUrls({ publicUrl, secret }: { publicUrl: string; secret: string }) {
  const links = createUnsubscribeLinks(secret)
  return (payload: UnsubscribePayload) => {
    const token = links.sign(payload)
    return { page: `${publicUrl}/unsubscribe/${token}`, oneClick: `${publicUrl}/api/public/unsubscribe/${token}` }
  }
}

const SIGNATURE_BYTES = 16
/** One letter and a user id, optionally with a subscription id. */
const CLAIM_BYTES = [1 + 16, 1 + 16 + 16]
/** Used in links already sent: never reuse a letter for another kind. */
const LETTERS: Record<Kind, string> = { advisory: 'a', announcement: 'n', roll_call: 'c', reminder: 'r' }

const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
