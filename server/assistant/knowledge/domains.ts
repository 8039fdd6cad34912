/** A name such as gov.uk; no address, no port, no path. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/

/** Domains written with commas or spaces between them, as they are compared; null where one of them is none. */
export function domainsOf(text: string): string[] | null {
  const domains = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => part.replace(/^www\./, ''))
  return domains.every((domain) => DOMAIN.test(domain)) ? [...new Set(domains)] : null
}

/** Whether a host is one of these domains or lies below one. */
export const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
