/**
 * Prefixes by which the specification's clients also reach a group of endpoints (001 §7, TRANSPORT-13..19). They are
 * other addresses of the same endpoints, with the same access rules; the API document lists the canonical ones.
 */
const ALIASES: Record<string, readonly string[]> = {
  '/admin-operations': ['/admin', '/internal/admin', '/internal/traveler'],
  '/admin-operations/users': ['/users'],
  '/admin-operations/notifications': ['/notifications'],
  '/admin-operations/message-templates': ['/templates'],
  '/notification-tracking': ['/notifications'],
  '/admin': ['/internal/admin'],
  '/mfa': ['/internal/mfa'],
  '/files': ['/internal/documents'],
  '/files/upload': ['/internal/documents'],
}

/** The addresses of an endpoint: those of its contract first, then its aliases. */
export function addressesOf({ path, also = [] }: { path: string; also?: readonly string[] }): string[] {
  const aliases = Object.entries(ALIASES).flatMap(([prefix, others]) =>
    path === prefix || path.startsWith(`${prefix}/`) ? others.map((other) => other + path.slice(prefix.length)) : [],
  )
  return [...new Set([path, ...also, ...aliases])]
}
