import { later } from './load-code.ts'
import type { call as callNow } from './transport.ts'

/** API calls in the browser. The transport (lib/transport.ts) is loaded on the first call: most visits make none. */
export const call = (async (...request: Parameters<typeof callNow>) => {
  const transport = await later(() => import('./transport.ts'))
  return transport.call(...request)
}) as typeof callNow
