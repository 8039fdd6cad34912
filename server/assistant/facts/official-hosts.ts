import hosts from './official-hosts.json' with { type: 'json' }

/**
 * Whether an address is one that may be believed for a fact: of a government, or of those who answer a line for their own
 * line. `gov.*` stands for gov.uk and what lies below it.
 */
export function isOfficial(address: string): boolean {
  // A page of the portal tells the rules of its own organisation.
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
