import { isIP, isIPv4 } from 'node:net'

/**
 * A caller's address as counted: IPv4 whole, IPv6 by its /64, since one connection owns all of that. Ports, brackets,
 * zones and IPv4-mapped IPv6 are normalised. Undefined when the text is not an address.
 */
export function addressOf(text: string | undefined): string | undefined {
  const bare = withoutPort((text ?? '').trim().replace(/^"|"$/g, ''))
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
  if (isIPv4(mapped)) return mapped
  if (isIP(mapped) !== 6) return undefined
  const groups = groupsOf(mapped)
  // The same mapped address, written in hexadecimal only.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')
  return prefix(groups, 64)
}

/** The /56 of an IPv6 address, which many providers assign to one household; undefined for IPv4. */
export const subnetOf = (address: string): string | undefined =>
  address.includes(':') ? prefix(groupsOf(withoutLength(address)), 56) : undefined

/** Address prefix too short to identify a household: IPv4 /24, IPv6 /48. Empty without an address. */
export function networkOf(address: string): string {
  if (address.includes(':')) return prefix(groupsOf(withoutLength(address)), 48)
  return isIPv4(address) ? address.replace(/\d+$/, '0/24') : ''
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  const plain = bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return plain.replace(/%.*$/, '')
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hex = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) => `${pair(a, b)}:${pair(c, d)}`,
  )
  const [head = '', tail] = hex.split('::')
  const read = (half: string) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), tail === undefined ? [] : read(tail)]
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last]
}

const withoutLength = (address: string) => address.replace(/\/.*$/, '')

const pair = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)

function prefix(groups: number[], bits: 48 | 56 | 64): string {
  const leading = groups
    .slice(0, Math.ceil(bits / 16))
    .map((group, at) => (bits === 56 && at === 3 ? group & 0xff00 : group))
  return `${leading.map((group) => group.toString(16)).join(':')}::/${bits}`
}
