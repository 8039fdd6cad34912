import type { Realtime } from '#web/lib/realtime.ts'
import { useRoom } from '#web/lib/useRoom.ts'

/** 000 §7; news events only cause the same advisories to be reloaded (D-32). */
export const LISTENED_EVENTS = [
  'travel_advisory_update',
  'urgent_travel_advisory',
  'country_travel_advisory',
  'breaking_news',
  'urgent_news',
  'newsdata_update',
  'newsdata_urgent',
  'travel_system_health',
  'dashboard_update',
] as const

export const isListenedEvent = (event: string) => (LISTENED_EVENTS as readonly string[]).includes(event)

/** Calls `reload` once, shortly after advisories or their sources changed; bursts are coalesced. */
export function useAdvisoryEvents(reload: () => void, rooms: readonly string[] = ROOMS) {
  useRoom(rooms, listen, reload)
}

const ROOMS = ['advisories']

function listen(socket: Realtime, room: string, hear: () => void) {
  let wasConnected = socket.status === 'connected'
  let isBack = false
  const leaveRoom = socket.listen(room, ({ event }) => isListenedEvent(event) && hear())
  const endStatus = socket.onStatus((status) => {
    // Events missed while disconnected are not replayed.
    if (status === 'connected' && isBack) hear()
    wasConnected ||= status === 'connected'
    isBack = wasConnected && status !== 'connected'
  })
  return () => {
    leaveRoom()
    endStatus()
  }
}
