import { createHmac, timingSafeEqual } from 'node:crypto'
import { LINK_MINUTES } from '#shared/files/buckets.ts'

/** Signed URLs of single files that anyone can use for a limited time. */
export function createSigner(secret: string) {
  // A separate key, so that nothing else the portal signs can pass for such a URL.
  const key = createHmac('sha256', secret).update('portal.files.signed').digest()
  const signatureOf = (id: string, until: number) =>
    createHmac('sha256', key).update(`${id} ${until}`).digest('base64url')
  return {
    sign(id: string, now: Date): { path: string; expiresAt: Date } {
      const expiresAt = new Date(now.valueOf() + LINK_MINUTES * 60_000)
      const until = Math.floor(expiresAt.valueOf() / 1000)
      return { path: `/api/files/${id}/signed?until=${until}&signature=${signatureOf(id, until)}`, expiresAt }
    },
    isValid(id: string, until: number, signature: string, now: Date): boolean {
      if (until * 1000 <= now.valueOf()) return false
      const expected = Buffer.from(signatureOf(id, until))
      const actual = Buffer.from(signature)
      return expected.length === actual.length && timingSafeEqual(expected, actual)
    },
  }
}
