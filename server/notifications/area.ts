import type { Router } from '../http/door.ts'
import { ownNotifications } from './own-endpoints.ts'
import { preferences } from './preferences.ts'
import { unsubscribing } from './unsubscribing.ts'

/** What a person sees of being told: the bell, what they chose, and the way out that needs no signing in. */
export function personalNotifications(router: Router, deps: { timeZone: () => string; secret: string }) {
  ownNotifications(router, deps)
  preferences(router)
  unsubscribing(router, deps)
}
