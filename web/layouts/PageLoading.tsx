import { useLocation, useMatches, useNavigation } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/lib/root-data.ts'
import { useSlow } from '#web/lib/useSlow.ts'
import styles from './PageLoading.module.css'

/** 'Loading...' over the old page while the next one takes longer than a moment. */
export function PageLoading() {
  const t = useT('common')
  const isSlow = useSlow(useIsNavigating())
  return (
    <div role="status" className={styles.status}>
      {isSlow && (
        <span className={styles.note}>
          <span className={styles.spinner} aria-hidden="true" />
          {t('loading')}
        </span>
      )}
    </div>
  )
}

/** Not after a form was sent: its button says so. Not where a page has its own placeholders for another list. */
function useIsNavigating(): boolean {
  const { state, location, formMethod } = useNavigation()
  const { pathname } = useLocation()
  const handle = useMatches().at(-1)?.handle as RouteHandle | undefined
  if (state !== 'loading' || (formMethod && formMethod !== 'GET')) return false
  return !(handle?.hasPlaceholders && location.pathname === pathname)
}
