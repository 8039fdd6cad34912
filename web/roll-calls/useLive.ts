import { useEffect, useEffectEvent } from 'react'
import { useRevalidator } from 'react-router'
import { withSocket } from '#web/lib/socket.ts'

/** Events within this time share one reload. */
const GATHER_MS = 400
/** Covers changes without an event, such as a delivered message, and events missed while disconnected. */
const POLL_MS = 15_000

/** Reloads the page shortly after a change of the roll call, and every few seconds in any case. */
export function useLive(rollCall: string) {
  const { revalidate, state } = useRevalidator()
  /** False while a reload is in progress: it may miss the latest events. */
  const read = useEffectEvent((): boolean => {
    if (state !== 'idle') return false
    if (!document.hidden) void revalidate()
    return true
  })
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    let isMore = false
    const soon = () => {
      if (waiting) {
        isMore = true
        return
      }
      isMore = !read()
      waiting = setTimeout(() => {
        waiting = undefined
        if (isMore) soon()
      }, GATHER_MS)
    }
    const poll = setInterval(() => read(), POLL_MS)
    const seen = () => read()
    document.addEventListener('visibilitychange', seen)
    // Without the socket the page polls every few seconds.
    const leave = withSocket((socket) => socket.listen(`roll_call:${rollCall}`, soon))
    return () => {
      clearTimeout(waiting)
      clearInterval(poll)
      document.removeEventListener('visibilitychange', seen)
      leave()
    }
  }, [rollCall])
}
