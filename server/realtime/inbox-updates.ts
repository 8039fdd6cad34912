import { ROLES } from '#shared/roles.ts'
import type { Rooms } from './rooms.ts'

/**
 * Makes the open pages of notified users refresh their inbox count: ids and groups separated by commas; `*`, or null
 * after missed notifications, for everyone, who then spread their requests. A notification to a group also refreshes
 * the overviews that its members have open.
 */
export function broadcastInboxUpdates(rooms: Pick<Rooms, 'broadcastToUsers' | 'broadcast'>, recipients: string | null) {
  const isForEverybody = !recipients || recipients === '*'
  const names = isForEverybody ? null : recipients.split(',')
  rooms.broadcastToUsers(names, 'notification', isForEverybody ? { is_for_everybody: true } : {})
  for (const role of ROLES) if (!names || names.includes(role)) rooms.broadcast(`role:${role}`, 'dashboard_update', {})
}
