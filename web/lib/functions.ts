/** 001 §7: the serverless function of each path prefix. The longest prefix wins (C-31). */
const FUNCTIONS: Record<string, string> = {
  '/public/locales': 'church-locator',
  '/public/travel-advisories': 'public-advisories',
  '/travel-advisories': 'public-advisories',
  '/chat': 'ai-chat-public',
  '/ai/chat': 'ai-chat-public',
  '/public/chat': 'ai-chat-public',
  '/kb/search': 'kb-search',
  '/public/pdos': 'public-pdos',
  '/admin-operations': 'admin-operations',
  '/pdos': 'admin-operations',
  '/admin': 'admin-operations',
  '/internal/admin': 'admin-operations',
  '/internal/traveler': 'admin-operations',
  '/internal/mfa': 'admin-operations',
  '/mfa': 'admin-operations',
  '/users': 'admin-operations',
  '/internal/pdos': 'pdos-processing',
  '/communication/send-email': 'send-email',
  '/communication/send-sms': 'send-sms',
  '/templates': 'notification-tracking',
  '/notifications': 'notification-tracking',
  '/files/upload': 'document-processing',
  '/internal/uploads': 'document-processing',
  '/internal/documents': 'document-processing',
}

const FUNCTION_COOLDOWN_MS = 120_000

/**
 * Functions this installation deploys separately from the backend. None by default: the portal's own server handles
 * every path, and a detour would only cost a request.
 */
export const deployed = new Set<string>()

/** The function of a path, deployed or not. */
export function mappedFunction(path: string): string | undefined {
  const [plain = ''] = path.split('?')
  const prefix = Object.keys(FUNCTIONS)
    .filter((known) => plain === known || plain.startsWith(`${known}/`))
    .sort((a, b) => b.length - a.length)[0]
  return prefix && FUNCTIONS[prefix]
}

/** The deployed function that handles a path, or undefined for the backend. */
export function functionFor(path: string): string | undefined {
  const name = mappedFunction(path)
  return name && deployed.has(name) ? name : undefined
}

const coolingUntil = new Map<string, number>()

export const isCoolingDown = (name: string) => (coolingUntil.get(name) ?? 0) > Date.now()

/** Pauses a broken function; returns true if the error is the function's own and not one of the request (F-26). */
export function coolDown(name: string, error: { status: number; code: string }): boolean {
  const isMissing = error.status === 404 && /^(function|endpoint)_not_found$/.test(error.code)
  const isBroken = isMissing || [405, 501, 502, 503, 504].includes(error.status)
  if (isBroken) coolingUntil.set(name, Date.now() + FUNCTION_COOLDOWN_MS)
  return isBroken
}
