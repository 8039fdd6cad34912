import { createHmac, timingSafeEqual } from 'node:crypto'

export const CONFIRM_LINK_DAYS = 30

/** Content of an email link: the locale, and the contact who was asked. */
export interface ConfirmLinkPayload {
  locale: string
  contact: string
}

/** Signed links that confirm a locale without signing in. Each names one locale and one contact, and expires. */
export function createConfirmLinks(secret: string) {
  // A separate key, so that no other value the portal signs is valid as such a link.
  const key = createHmac('sha256', secret).update('portal.churches.confirm').digest()
  const signatureOf = (claim: Buffer) => createHmac('sha256', key).update(claim).digest()
  return {
    sign({ locale, contact }: ConfirmLinkPayload, now: Date): string {
      const until = Math.floor(now.valueOf() / 1000) + CONFIRM_LINK_DAYS * 86_400
      const claim = Buffer.concat([
        idBytes(locale),
        Buffer.from(contact.charAt(0)),
        idBytes(contact.slice(1)),
        seconds(until),
      ])
      return Buffer.concat([claim, signatureOf(claim)]).toString('base64url')
    },

    /** Content of a link; 'forged' if the portal did not sign it, 'expired' if it is too old. */
    read(token: string, now: Date): ConfirmLinkPayload | 'forged' | 'expired' {
      const bytes = Buffer.from(token, 'base64url')
      const claim = bytes.subarray(0, CLAIM_BYTES)
      const signature = bytes.subarray(CLAIM_BYTES)
      // Another encoding of the same bytes is not a link the portal made.
      if (bytes.length !== CLAIM_BYTES + 32 || bytes.toString('base64url') !== token) return 'forged'
      if (!timingSafeEqual(signatureOf(claim), signature)) return 'forged'
      if (claim.readUInt32BE(CLAIM_BYTES - 4) * 1000 <= now.valueOf()) return 'expired'
      return {
        locale: idOf(claim.subarray(0, 16)),
        contact: claim.toString('latin1', 16, 17) + idOf(claim.subarray(17, 33)),
      }
    },
  }
}

const CLAIM_BYTES = 16 + 1 + 16 + 4

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function seconds(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
