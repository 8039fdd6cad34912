import { later } from './load-code.ts'
import type { call as callNow } from './transport.ts'

/** The one call of the browser. Its rules (lib/transport.ts) come with the first one: most visits make none. */
export const call = (async (...request: Parameters<typeof callNow>) => {
  const transport = await later(() => import('./transport.ts'))
  return transport.call(...request)
}) as typeof callNow
