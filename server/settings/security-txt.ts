import type { Hono } from 'hono'
import type { SettingsModel } from './settings.ts'

/** Clients fetch it again once it has expired; the standard recommends less than a year. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000

/** Where to report a security problem, for automated tools (RFC 9116). */
export function securityText(app: Hono, deps: { settings: SettingsModel; publicUrl: string; now: () => Date }) {
  const { settings, publicUrl, now } = deps
  app.get('/.well-known/security.txt', (c) => {
    const address = settings.get('support_email')
    // To the day, so that it is the same for everyone today.
    const expires = new Date(Math.floor(now().valueOf() / DAY_MS + VALID_DAYS) * DAY_MS)
    const lines = [
      ...(address ? [`Contact: mailto:${encodeURI(address)}`] : []),
      `Contact: ${publicUrl}/support`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en, ar',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ]
    return c.text(`${lines.join('\n')}\n`, 200, { 'cache-control': 'public, max-age=300' })
  })
}
