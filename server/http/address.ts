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
    return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  return prefix(groups, 64)
}

/** The /56 of an IPv6 address, which many providers assign to one household; undefined for IPv4. */
export const subnetOf = (address: string): string | undefined =>
  address.includes(':') ? prefix(groupsOf(address.split('/')[0]!), 56) : undefined

/** Address prefix too short to identify a household: IPv4 /24, IPv6 /48. Empty without an address. */
export function networkOf(address: string): string {
  if (address.includes(':')) return prefix(groupsOf(address.split('/')[0]!), 48)
  return isIPv4(address) ? address.replace(/\d+$/, '0/24') : ''
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  const plain = bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return plain.replace(/%.*$/, '')
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = dotted
    ? address.replace(dotted[0], `${pair(dotted[1]!, dotted[2]!)}:${pair(dotted[3]!, dotted[4]!)}`)
    : address
  const [head = '', tail] = hex.split('::')
  const read = (half: string) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), tail === undefined ? [] : read(tail)]
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last]
}

const pair = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)

function prefix(groups: number[], bits: 48 | 56 | 64): string {
  const leading = groups.slice(0, Math.ceil(bits / 16))
  if (bits === 56) leading[3] = leading[3]! & 0xff00
  return `${leading.map((group) => group.toString(16)).join(':')}::/${bits}`
}
