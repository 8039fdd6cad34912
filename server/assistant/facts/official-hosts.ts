import hosts from './official-hosts.json' with { type: 'json' }

/**
 * Whether an address is an acceptable source for a fact: a government, or the operator of a hotline for its own
 * hotline. `gov.*` stands for gov.uk and its subdomains.
 */
export function isOfficial(address: string): boolean {
  // Portal pages are the source for the organisation's own rules.
  if (address.startsWith('/')) return true
  const host = URL.parse(address)?.hostname
  return host !== undefined && hosts.some((each) => matches(host, each.host))
}

function matches(host: string, pattern: string): boolean {
  const labels = host.split('.')
  const wanted = pattern.split('.')
  const last = labels.slice(-wanted.length)
  return last.length === wanted.length && wanted.every((label, at) => label === '*' || label === last[at])
}
