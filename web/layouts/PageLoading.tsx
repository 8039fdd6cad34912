import { useEffect } from 'react'
import { useLocation, useMatches, useNavigation } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/lib/root-data.ts'
import { useSlow } from '#web/lib/useSlow.ts'
import styles from './PageLoading.module.css'

/** A bar at once for every link and form; 'Loading...' while the next page takes longer than a moment. */
export function PageLoading() {
  const t = useT('common')
  const isSlow = useSlow(useIsNavigating())
  const { state } = useNavigation()
  usePendingAddress()
  return (
    <div role="status" className={styles.status}>
      {state !== 'idle' && <span className={styles.bar} data-pending="" aria-hidden="true" />}
      {isSlow && (
        <span className={styles.note}>
          <span className={styles.spinner} aria-hidden="true" />
          {t('loading')}
        </span>
      )}
    </div>
  )
}

/**
 * Where a navigation leads, while it loads. If a script of the next page cannot be fetched, the router reloads the old
 * page: the page script then goes on from there (lib/page-script.ts).
 */
function usePendingAddress() {
  const { state, location } = useNavigation()
  const address = state === 'loading' && location ? location.pathname + location.search + location.hash : null
  useEffect(() => {
    if (address === null) return
    // A device may forbid storage: then the old page is shown again.
    try {
      sessionStorage.setItem('pending', address)
      return () => sessionStorage.removeItem('pending')
    } catch {}
  }, [address])
}

/** Not after a form was sent: its button says so. Not where a page has its own placeholders for another list. */
function useIsNavigating(): boolean {
  const { state, location, formMethod } = useNavigation()
  const { pathname } = useLocation()
  const handle = useMatches().at(-1)?.handle as RouteHandle | undefined
  if (state !== 'loading' || (formMethod && formMethod !== 'GET')) return false
  return !(handle?.hasPlaceholders && location.pathname === pathname)
}
