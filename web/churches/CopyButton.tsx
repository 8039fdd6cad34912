import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useCopy } from '#web/ui/useCopy.ts'

/** Shows its own result. */
export function CopyButton({ text }: { text: string }) {
  const t = useT('churches')
  const { outcome: result, copy } = useCopy(text)
  return (
    <>
      <Button isSmall className="needs-script" onClick={copy}>
        {t(result ?? 'copy_address')}
      </Button>
      {/* Inside the button it would replace its accessible name. */}
      <span role="status" className="visually-hidden">
        {result && t(result)}
      </span>
    </>
  )
}
