import type { App } from '#server/app.ts'
import { AS } from './app.ts'

/** Asks an application as a browser on its own page does, with and without a body, as "admin 0b5f…" or as nobody. */
export const createApiClient =
  (app: App, base = '') =>
  // What comes back is checked by the test that asked.
  async <T = any>(
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; body: T }> => {
    const response = await app.request(`http://portal.test/api/${base}${path}`, {
      method,
      headers: {
        ...(as ? { [AS]: as } : {}),
        origin: 'http://portal.test',
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as T }
  }
