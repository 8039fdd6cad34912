import { useEffect, useEffectEvent } from 'react'
import type { Realtime } from './realtime.ts'
import { withSocket } from './socket.ts'

/** A change reaches all open pages at once; they reload spread over this time, still within a second. */
const SPREAD_MS = 500

type Enter = (socket: Realtime, room: string, hear: () => void) => () => void

/** Calls `reload` once, shortly after events in any of the rooms; bursts are coalesced. */
export function useRoom(rooms: readonly string[], enter: Enter, reload: () => void) {
  const run = useEffectEvent(reload)
  const join = useEffectEvent(enter)
  const names = rooms.join()
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        run()
      }, Math.random() * SPREAD_MS)
    }
    const leave = withSocket((socket) => {
      const leaveCallbacks = names
        .split(',')
        .filter(Boolean)
        .map((room) => join(socket, room, soon))
      return () => {
        for (const leaveRoom of leaveCallbacks) leaveRoom()
      }
    })
    return () => {
      clearTimeout(waiting)
      leave()
    }
  }, [names])
}
