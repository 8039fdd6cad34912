import { ROLES } from '#shared/roles.ts'
import type { Rooms } from './rooms.ts'

/**
 * Lets the open pages of those who were told something look at their bell: ids and groups separated by commas, `*` or
 * nothing (what was said was missed) for everybody, who then spread their looking. What is told to a group is also news
 * for the overviews that its people have open.
 */
export function ringBells(rooms: Pick<Rooms, 'tellPeople' | 'tell'>, told: string | null) {
  const isForEverybody = !told || told === '*'
  const names = isForEverybody ? null : told.split(',')
  rooms.tellPeople(names, 'notification', isForEverybody ? { is_for_everybody: true } : {})
  for (const role of ROLES) if (!names || names.includes(role)) rooms.tell(`role:${role}`, 'dashboard_update', {})
}
