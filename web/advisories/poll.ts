import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `load` every `ms` while the page is seen. A hidden page asks nothing; when it is seen again and a turn was
 * missed, it asks at once. Returns the function that ends it.
 */
export function pollWhileVisible(load: () => void, ms: number, page: Document = document): () => void {
  let isMissed = false
  const turn = () => {
    if (page.hidden) isMissed = true
    else load()
  }
  const seen = () => {
    if (page.hidden || !isMissed) return
    isMissed = false
    load()
  }
  const timer = setInterval(turn, ms)
  page.addEventListener('visibilitychange', seen)
  return () => {
    clearInterval(timer)
    page.removeEventListener('visibilitychange', seen)
  }
}

/** The same for as long as a component is on the page. */
export function usePolling(load: () => void, ms: number) {
  const run = useEffectEvent(load)
  useEffect(() => pollWhileVisible(() => run(), ms), [ms])
}
