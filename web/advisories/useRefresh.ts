import { startTransition, useEffect, useState } from 'react'
import { useLocation, useNavigation, useRevalidator } from 'react-router'
import { call } from '#web/lib/call.ts'
import { useSlow } from '#web/lib/useSlow.ts'

/** 000 §7: the server gets this long before the list is read again. */
const REFRESH_WAIT_MS = 1_000

export interface RefreshState {
  isBusy: boolean
  /** The latest load failed; the displayed data is older. */
  hasFailed: boolean
  refreshedAt: string
  refresh: () => void
}

/** Asks the server to bypass its caches, waits, then reads the list again. */
export async function forceRefresh(reload: () => Promise<void>): Promise<void> {
  await call('POST /travel-advisories/refresh')
  await new Promise((resolve) => setTimeout(resolve, REFRESH_WAIT_MS))
  await reload()
}

/** State of the refresh button, and when the list was last known to be current. */
export function useRefresh(data: { made_at: string }, hasFailed: boolean): RefreshState {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [isRejected, setRejected] = useState(false)
  const [refreshedAt, setRefreshedAt] = useState(data.made_at)
  useEffect(() => {
    if (hasFailed || !data) return
    // A cached page may be older than its delivery, at which time the server had nothing newer.
    startTransition(() => setRefreshedAt(new Date().toISOString()))
  }, [data, hasFailed])

  async function refresh() {
    if (isBusy) return
    setBusy(true)
    setRejected(false)
    await forceRefresh(revalidate).catch(() => setRejected(true))
    setBusy(false)
  }
  return { isBusy, hasFailed: (hasFailed || isRejected) && !isBusy, refreshedAt, refresh }
}

/** True while a navigation within the list takes longer than the threshold. */
export function useSlowNavigation(): boolean {
  const { state, location } = useNavigation()
  const here = useLocation()
  const isOtherList = state === 'loading' && location.pathname === here.pathname && location.search !== here.search
  return useSlow(isOtherList)
}
