import type { App } from '#server/app.ts'
import { AS } from './app.ts'

/** Sends requests as a browser on its own page does, with or without a body, as "admin 0b5f…" or anonymously. */
export const createApiClient =
  (app: App, base = '') =>
  // The test checks the response itself.
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
