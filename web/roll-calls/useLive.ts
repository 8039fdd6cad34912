import { useEffect, useEffectEvent } from 'react'
import { useRevalidator } from 'react-router'
import { realtime } from '../lib/socket.ts'

/** Several answers in one moment are one reading. */
const GATHER_MS = 250
/** What no event tells of, as a message that arrived, and what was missed while the socket was away. */
const POLL_MS = 15_000

/** Reads the page again a moment after something about the roll-call changed, and every few seconds in any case. */
export function useLive(rollCall: string) {
  const { revalidate, state } = useRevalidator()
  const read = useEffectEvent(() => {
    if (state === 'idle' && !document.hidden) void revalidate()
  })
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    let leave: (() => void) | undefined
    let isGone = false
    const soon = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        read()
      }, GATHER_MS)
    }
    const poll = setInterval(() => read(), POLL_MS)
    const seen = () => read()
    document.addEventListener('visibilitychange', seen)
    realtime().then(
      (socket) => {
        if (!isGone) leave = socket.listen(`roll_call:${rollCall}`, soon)
      },
      // Without the socket the page is read every few seconds.
      () => {},
    )
    return () => {
      isGone = true
      clearTimeout(waiting)
      clearInterval(poll)
      document.removeEventListener('visibilitychange', seen)
      leave?.()
    }
  }, [rollCall])
}
