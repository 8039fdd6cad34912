import type { Router } from '#server/http/router.ts'
import { ownNotifications } from './inbox/endpoints.ts'
import { preferences } from './preferences/endpoints.ts'
import { unsubscribeEndpoints } from './subscriptions/unsubscribe-endpoints.ts'

/** Personal notifications: inbox, preferences, and unsubscribing without signing in. */
export function personalNotifications(router: Router, deps: { timeZone: () => string; secret: string }) {
  ownNotifications(router, deps)
  preferences(router)
  unsubscribeEndpoints(router, deps)
}
