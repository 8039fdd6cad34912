import { useEffect, useState } from 'react'

const SHOWN_MS = 3_000

/** Copies a text, and shows the result for some seconds. */
export function useCopy(text: string) {
  const [result, setResult] = useState<'copied' | 'copy_failed' | null>(null)
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    // Undefined outside secure contexts.
    (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))).then(
      () => setResult('copied'),
      () => setResult('copy_failed'),
    )
  return { outcome: result, copy }
}
