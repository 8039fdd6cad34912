import { useEffect, useState } from 'react'

const SHOWN_MS = 3_000

/** Copies a text when asked to, and for some seconds says whether that worked. */
export function useCopy(text: string) {
  const [outcome, setOutcome] = useState<'copied' | 'copy_failed' | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    // Absent where the page does not come over TLS.
    (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))).then(
      () => setOutcome('copied'),
      () => setOutcome('copy_failed'),
    )
  return { outcome, copy }
}
