import { startTransition, useEffect, useState } from 'react'
import { useRouteLoaderData } from 'react-router'

const TICK_MS = 30_000

type Listener = (now: number) => void
const listeners = new Set<Listener>()
let timer: ReturnType<typeof setInterval> | undefined
let hasTicked = false

/**
 * The current time from one clock for the whole page; null on the server and during hydration, because a cached page is
 * older than its visit. Listeners are updated together, without blocking interaction.
 */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(() => (hasTicked ? Date.now() : null))
  useEffect(() => listen(setNow), [])
  return now
}

/** Time zone in which times are written: the user's own, or else the portal's. */
export function useZone(): string {
  const root = useRoot()
  return root?.user?.timeZone ?? root?.site.time_zone ?? 'UTC'
}

/** The portal's time zone, in which every user enters times. */
export const usePortalZone = (): string => useRoot()?.site.time_zone ?? 'UTC'

const useRoot = () =>
  useRouteLoaderData('root') as { site: { time_zone: string }; user: { timeZone?: string } | null } | undefined

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
