import { useEffect, useEffectEvent } from 'react'
import { useRevalidator } from 'react-router'

const POLL_MS = 20_000

/** Reloads a page while it is visible, so that a call for help appears by itself. */
export function useWaitingUpdates() {
  const { revalidate, state } = useRevalidator()
  const read = useEffectEvent(() => {
    if (state === 'idle' && !document.hidden) void revalidate()
  })
  useEffect(() => {
    const poll = setInterval(() => read(), POLL_MS)
    const seen = () => read()
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(poll)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [])
}
