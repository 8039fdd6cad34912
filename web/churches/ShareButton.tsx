import { useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

/** The Web Share sheet; where it is not supported, the link is copied. */
export function ShareButton({ title }: { title: string }) {
  const t = useT('church')
  const [label, setLabel] = useState<'share' | 'link_copied' | 'share_failed'>('share')
  async function share() {
    const url = location.origin + location.pathname
    try {
      if (navigator.share) await navigator.share({ title, url })
      else {
        await navigator.clipboard.writeText(url)
        setLabel('link_copied')
      }
    } catch (error) {
      // Dismissing the share sheet is not an error.
      if ((error as Error).name !== 'AbortError') setLabel('share_failed')
    }
  }
  return (
    <Button className="needs-script" isSmall onClick={share}>
      <span role="status">{t(label)}</span>
    </Button>
  )
}
