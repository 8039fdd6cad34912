/** An address of the way in that keeps where somebody wants to go. */
export function withReturnTo(address: string, returnTo: string | null | undefined): string {
  if (!returnTo) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ returnTo })}`
}
