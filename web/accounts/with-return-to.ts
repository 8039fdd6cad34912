/** A sign-in URL with the return address. */
export function withReturnTo(address: string, returnTo: string | null | undefined): string {
  if (!returnTo) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ returnTo })}`
}
