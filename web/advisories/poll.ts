import { useEffect, useEffectEvent } from 'react'

/** What is used of the document: whether the page is visible, and when that changes. */
export type VisiblePage = EventTarget & Pick<Document, 'hidden'>

/**
 * Calls `load` every `ms` while the page is visible. A hidden page makes no request; if a turn was missed, it catches
 * up at once when visible again. Returns a function that stops it.
 */
export function pollWhileVisible(load: () => void, ms: number, page: VisiblePage = document): () => void {
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

/** Polls for as long as the component is mounted. */
export function usePolling(load: () => void, ms: number) {
  const run = useEffectEvent(load)
  useEffect(() => pollWhileVisible(() => run(), ms), [ms])
}
