import { useEffect, useEffectEvent } from 'react'
import type { ConnectionStatus } from '../lib/realtime.ts'
import { afterLoad, realtime } from '../lib/socket.ts'

/** 000 §7; news events only lead to reading the same advisories again (D-32). */
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

/** A change reaches all open pages in the same moment; they come back over this time, still within a second. */
const SPREAD_MS = 500

/** Calls `reload` once, a moment after anything about advisories or their sources changed; several changes are one. */
export function useAdvisoryEvents(reload: () => void) {
  const run = useEffectEvent(reload)
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    let leave: (() => void) | undefined
    let isGone = false
    const soon = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        run()
      }, Math.random() * SPREAD_MS)
    }
    const enter = () =>
      realtime().then(
        (socket) => {
          if (isGone) return
          let wasConnected = socket.status === 'connected'
          let isBack = false
          const leaveRoom = socket.listen('advisories', ({ event }) => isListenedEvent(event) && soon())
          const endStatus = socket.onStatus((status: ConnectionStatus) => {
            // What happened while nobody listened is not told again.
            if (status === 'connected' && isBack) soon()
            wasConnected ||= status === 'connected'
            isBack = wasConnected && status !== 'connected'
          })
          leave = () => {
            leaveRoom()
            endStatus()
          }
        },
        // Without the socket the polling of ticker and page goes on; nobody needs to be told.
        () => {},
      )
    const stopWaiting = afterLoad(enter)
    return () => {
      isGone = true
      stopWaiting()
      clearTimeout(waiting)
      leave?.()
    }
  }, [])
}
