import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Shared address space of providers (RFC 6598); clouds run services there.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, including the cloud metadata service at 169.254.169.254.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')

// Only 2000::/3 is allocated to the public internet; parts of it lead elsewhere again.
const PUBLIC_V6 = new BlockList()
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6')
const PRIVATE_V6 = new BlockList()
for (const [network, prefix] of [
  // Teredo, ORCHID, documentation; a 6to4 address embeds any IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  PRIVATE_V6.addSubnet(network, prefix, 'ipv6')

/**
 * Whether an IP address is on the public internet: not this machine, its network or its provider's, nor an IPv6 form
 * that embeds such an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !PRIVATE.check(address, 'ipv4')
  if (family === 6) return PUBLIC_V6.check(address, 'ipv6') && !PRIVATE_V6.check(address, 'ipv6')
  return false
}

/** A host that must not be contacted: its address is private. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
}

/** Resolves a host to its public addresses only. The connection uses exactly these, which defeats DNS rebinding. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0)
    const allowed = found.filter(({ address }) => isPublicAddress(address))
    const [first] = allowed
    if (!first) return callback(new PrivateAddressError(`${hostname} has a private address`), '', 0)
    if (options.all) callback(null, allowed)
    else callback(null, first.address, first.family)
  })
}
