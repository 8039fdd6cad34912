import { useEffect, useEffectEvent } from 'react'
import type { Realtime } from './realtime.ts'
import { afterLoad, realtime } from './socket.ts'

/** Several events in one moment are one reading, and not all pages come back in the same moment. */
const SPREAD_MS = 500

type Enter = (socket: Realtime, room: string, hear: () => void) => () => void

/** Calls `reload` a moment after something happened in one of the rooms. Without the socket nothing happens. */
export function useRoom(rooms: readonly string[], enter: Enter, reload: () => void) {
  const run = useEffectEvent(reload)
  const join = useEffectEvent(enter)
  const names = rooms.join()
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const leaving: (() => void)[] = []
    let isGone = false
    const soon = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        run()
      }, Math.random() * SPREAD_MS)
    }
    const start = () =>
      realtime().then(
        (socket) => {
          if (!isGone) for (const room of names.split(',').filter(Boolean)) leaving.push(join(socket, room, soon))
        },
        () => {},
      )
    const stopWaiting = afterLoad(start)
    return () => {
      isGone = true
      stopWaiting()
      clearTimeout(waiting)
      for (const leave of leaving) leave()
    }
  }, [names])
}
