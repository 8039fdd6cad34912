import { useEffect, useState } from 'react'
import { useT } from '../lib/i18n.tsx'
import { Button } from '../ui/Button.tsx'

const SHOWN_MS = 3_000

/** Says on itself whether it worked. */
export function CopyButton({ text }: { text: string }) {
  const t = useT('churches')
  const [state, setState] = useState<'copy_address' | 'copied' | 'copy_failed'>('copy_address')
  useEffect(() => {
    if (state === 'copy_address') return
    const timer = setTimeout(() => setState('copy_address'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    // Absent where the page does not come over TLS.
    (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))).then(
      () => setState('copied'),
      () => setState('copy_failed'),
    )
  return (
    <Button isSmall className="needs-script" onClick={copy}>
      <span role="status">{t(state)}</span>
    </Button>
  )
}
