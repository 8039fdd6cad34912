import type { App } from '#server/app.ts'
import type { Database } from '#server/db/connection.ts'
import { createPasswordAccount, PASSWORD } from '#server/testing/accounts.ts'
import type { Role } from '#shared/roles.ts'

let made = 0

/** A signed-in user and their requests to the portal. */
export async function signedIn(app: App, database: Database, role: Role = 'traveler') {
  const email = `ana.unmistakable${++made}@example.org`
  const names = { first_name: 'Anastasia', last_name: 'Unmistakable' }
  const id = await createPasswordAccount(database, { email, role, ...names })
  const login = await app.request('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(`/api${path}`, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  return {
    id,
    email,
    ask,
    /** Returns status and body together. */
    async fetchJson(method: string, path: string, body?: unknown) {
      const response = await ask(method, path, body)
      return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
    },
  }
}
