import { useEffect, useState } from 'react'

const SHOWN_MS = 3_000

/** Copies a text when asked to, and for some seconds says whether that worked. */
export function useCopy(text: string) {
  const [result, setResult] = useState<'copied' | 'copy_failed' | null>(null)
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    // Absent where the page does not come over TLS.
    (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))).then(
      () => setResult('copied'),
      () => setResult('copy_failed'),
    )
  return { outcome: result, copy }
}
