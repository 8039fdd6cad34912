/**
 * Validates a link in an answer: into this portal, or out by http and https. Null for everything else; characters that
 * a browser would strip (control characters, spaces, backslashes) are rejected, not cleaned.
 */
export function safeLink(address: string | null | undefined): string | null {
  if (!address || address.length > 2_000 || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) return null
  if (/^\/(?!\/)/.test(address)) return address
  return /^https?:\/\/[^/?#@]+([/?#]|$)/i.test(address) && URL.canParse(address) ? address : null
}

export const isOutside = (address: string) => /^https?:/i.test(address)

/** A phone number for `tel:`: plus and digits, and the * and # of service codes. */
export const dialled = (phone: string) => `tel:${phone.replace(/[^\d+*#]/g, '')}`
