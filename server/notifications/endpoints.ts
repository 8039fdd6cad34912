import type { Router } from '#server/http/router.ts'
import { ownNotifications } from './inbox/endpoints.ts'
import { preferences } from './preferences/endpoints.ts'
import { unsubscribing } from './subscriptions/unsubscribe-endpoints.ts'

/** What a person sees of being told: the bell, what they chose, and the way out that needs no signing in. */
export function personalNotifications(router: Router, deps: { timeZone: () => string; secret: string }) {
  ownNotifications(router, deps)
  preferences(router)
  unsubscribing(router, deps)
}
