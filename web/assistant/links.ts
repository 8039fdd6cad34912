/**
 * Where a link of an answer may lead: into this portal, or out by http and https. Null for everything else; what a
 * browser would read past (control characters, spaces, backslashes) is refused and not cleaned.
 */
export function safeLink(address: string | null | undefined): string | null {
  if (!address || address.length > 2_000 || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) return null
  if (/^\/(?!\/)/.test(address)) return address
  return /^https?:\/\/[^/?#@]+([/?#]|$)/i.test(address) && URL.canParse(address) ? address : null
}

export const isOutside = (address: string) => /^https?:/i.test(address)

/** A number as a telephone wants it: the plus and the digits, and the signs of service numbers. */
export const dialled = (phone: string) => `tel:${phone.replace(/[^\d+*#]/g, '')}`
