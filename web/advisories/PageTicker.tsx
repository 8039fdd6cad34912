import { useSyncExternalStore } from 'react'
import { useRouteLoaderData } from 'react-router'
import { NewsTicker } from './NewsTicker.tsx'
import styles from './PageTicker.module.css'
import type { TickerContent } from './ticker-state.ts'

/** SHELL-17 */
export const TICKER_ITEMS = 12

const PHONE = '(max-width: 600px)'

/**
 * The ticker of a public page: above it or, on the phones that `on` tells apart, below its first block. Without scripts
 * both are in the document; scripts keep the one that is shown.
 */
export function PageTicker({ on }: { on?: 'phone' | 'desktop' }) {
  const data = useRouteLoaderData<{ ticker: TickerContent }>('layouts/PublicLayout')
  const isPhone = useSyncExternalStore(follow, () => matchMedia(PHONE).matches, unknown)
  if (on && isPhone !== null && isPhone !== (on === 'phone')) return null
  return (
    <div className={on && styles[on]}>
      {/* Without loader data the ticker fetches the advisories itself. */}
      <NewsTicker {...data?.ticker} maxItems={TICKER_ITEMS} />
    </div>
  )
}

const unknown = () => null

function follow(onChange: () => void) {
  const query = matchMedia(PHONE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
