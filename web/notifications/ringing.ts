import { afterLoad, realtime } from '../lib/socket.ts'

/** Calls `ring` when the bell of the signed-in person rings, and when it may have rung unheard. */
export function hearRings(ring: (isForEverybody: boolean) => void): () => void {
  let leave: (() => void) | undefined
  let isGone = false
  const enter = () =>
    realtime().then(
      (socket) => {
        if (isGone) return
        const leaveRoom = socket.listen('own', ({ event, payload }) => {
          if (event === 'notification') ring(payload.is_for_everybody === true)
        })
        let wasLost = false
        const endStatus = socket.onStatus((status) => {
          if (status === 'connected' && wasLost) ring(false)
          wasLost = status !== 'connected'
        })
        leave = () => {
          leaveRoom()
          endStatus()
        }
      },
      // Without the socket the asking now and then goes on.
      () => {},
    )
  const stopWaiting = afterLoad(enter)
  return () => {
    isGone = true
    stopWaiting()
    leave?.()
  }
}
