import { withSocket } from '#web/lib/socket.ts'

/** Calls `ring` on an inbox event of the signed-in user, and when one may have been missed. */
export function onInboxEvent(ring: (isForEverybody: boolean) => void): () => void {
  return withSocket((socket) => {
    const leaveRoom = socket.listen('own', ({ event, payload }) => {
      if (event === 'notification') ring(payload.is_for_everybody === true)
    })
    let wasLost = false
    const endStatus = socket.onStatus((status) => {
      if (status === 'connected' && wasLost) ring(false)
      wasLost = status !== 'connected'
    })
    return () => {
      leaveRoom()
      endStatus()
    }
  })
}
