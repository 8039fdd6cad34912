/** A domain name such as gov.uk, without scheme, port or path. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/

/** Normalised domains from a comma- or space-separated list; null if one of them is invalid. */
export function domainsOf(text: string): string[] | null {
  const domains = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => part.replace(/^www\./, ''))
  return domains.every((domain) => DOMAIN.test(domain)) ? [...new Set(domains)] : null
}

/** Whether a host is one of these domains or a subdomain of one. */
export const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
