import type { Rooms } from './rooms.ts'

/**
 * Lets the open pages of those who were told something look at their bell: ids and groups separated by commas, `*` or
 * nothing (what was said was missed) for everybody, who then spread their looking.
 */
export function ringBells(rooms: Pick<Rooms, 'tellPeople'>, told: string | null) {
  if (!told || told === '*') rooms.tellPeople(null, 'notification', { is_for_everybody: true })
  else rooms.tellPeople(told.split(','), 'notification', {})
}
