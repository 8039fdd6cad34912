import { ROLES } from '#shared/roles.ts'
import type { Rooms } from './rooms.ts'

/**
 * Lets the open pages of those who were told something look at their bell: ids and groups separated by commas, `*` or
 * nothing (what was said was missed) for everybody, who then spread their looking. What is told to a group is also news
 * for the overviews that its people have open.
 */
export function broadcastInboxUpdates(rooms: Pick<Rooms, 'broadcastToUsers' | 'broadcast'>, recipients: string | null) {
  const isForEverybody = !recipients || recipients === '*'
  const names = isForEverybody ? null : recipients.split(',')
  rooms.broadcastToUsers(names, 'notification', isForEverybody ? { is_for_everybody: true } : {})
  for (const role of ROLES) if (!names || names.includes(role)) rooms.broadcast(`role:${role}`, 'dashboard_update', {})
}
