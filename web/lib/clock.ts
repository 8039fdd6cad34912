import { startTransition, useEffect, useState } from 'react'
import { useRouteLoaderData } from 'react-router'

const TICK_MS = 30_000

type Listener = (now: number) => void
const listeners = new Set<Listener>()
let timer: ReturnType<typeof setInterval> | undefined
let hasTicked = false

/**
 * The present, by one clock for the whole page; null on the server and while the page comes alive, because the stored
 * page is older than its reader. All who listen are told together and without holding up a tap.
 */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(() => (hasTicked ? Date.now() : null))
  useEffect(() => listen(setNow), [])
  return now
}

/** The zone in which times are written out where the reader's own is not known. */
export function useZone(): string {
  const root = useRouteLoaderData('root') as { site: { time_zone: string } } | undefined
  return root?.site.time_zone ?? 'UTC'
}

function listen(listener: Listener) {
  listeners.add(listener)
  if (!timer) {
    timer = setInterval(tick, TICK_MS)
    setTimeout(tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick() {
  hasTicked = true
  const now = Date.now()
  startTransition(() => {
    for (const listener of listeners) listener(now)
  })
}
