import { useEffect, useEffectEvent } from 'react'
import { later } from '../lib/later.ts'
import type { ConnectionStatus, Realtime } from '../lib/realtime.ts'

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

let shared: Promise<Realtime> | undefined

/** The page's one socket. Its code is fetched only now, after the page is there and can be used. */
function realtime(): Promise<Realtime> {
  shared ??= later(() => import('../lib/realtime.ts')).then(({ advisoryDelay, createRealtime }) => {
    // Older browsers take no relative address here.
    const address = `${location.origin.replace(/^http/, 'ws')}/api/realtime`
    const socket = createRealtime({ address, delay: advisoryDelay })
    const wake = () => document.hidden || socket.wake()
    window.addEventListener('online', wake)
    document.addEventListener('visibilitychange', wake)
    return socket
  })
  shared.catch(() => {
    shared = undefined
  })
  return shared
}

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

/** Runs when the page has finished loading: until then the network belongs to it. */
function afterLoad(run: () => void): () => void {
  if (document.readyState === 'complete') {
    const timer = setTimeout(run)
    return () => clearTimeout(timer)
  }
  window.addEventListener('load', run, { once: true })
  return () => window.removeEventListener('load', run)
}
