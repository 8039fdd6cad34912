import type { Door } from '../http/door.ts'
import { ownNotifications } from './own-endpoints.ts'
import { preferences } from './preferences.ts'
import { unsubscribing } from './unsubscribing.ts'

/** What a person sees of being told: the bell, what they chose, and the way out that needs no signing in. */
export function personalNotifications(door: Door, parts: { timeZone: () => string; secret: string }) {
  ownNotifications(door, parts)
  preferences(door)
  unsubscribing(door, parts)
}
