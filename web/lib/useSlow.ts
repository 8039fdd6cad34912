import { useEffect, useState } from 'react'

/** Below this delay a placeholder would only flicker. */
const SLOW_AFTER_MS = 250

/** True once something has been pending for longer than a moment, until it no longer is. */
export function useSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isPending) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isPending])
  return isSlow && isPending
}
