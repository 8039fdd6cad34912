import { useEffect, useEffectEvent } from 'react'
import { useRevalidator } from 'react-router'
import { withSocket } from '#web/lib/socket.ts'

/** The first answer is read at once, and what comes right after it together. */
const GATHER_MS = 400
/** What no event tells of, as a message that arrived, and what was missed while the socket was away. */
const POLL_MS = 15_000

/** Reads the page again a moment after something about the roll-call changed, and every few seconds in any case. */
export function useLive(rollCall: string) {
  const { revalidate, state } = useRevalidator()
  /** False while the page is just being read: what came meanwhile may not be in it. */
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
    // Without the socket the page is read every few seconds.
    const leave = withSocket((socket) => socket.listen(`roll_call:${rollCall}`, soon))
    return () => {
      clearTimeout(waiting)
      clearInterval(poll)
      document.removeEventListener('visibilitychange', seen)
      leave()
    }
  }, [rollCall])
}
