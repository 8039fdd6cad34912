import { useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './RecoveryCodes.module.css'

/** Shown once. Each code replaces the authenticator for one sign-in. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const t = useT('accounts')
  const [isCopied, setCopied] = useState(false)
  const copy = () => navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))
  return (
    <div className={styles.codes}>
      <p>{t('recovery_codes_text')}</p>
      <ul dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={`needs-script ${styles.actions}`}>
        <Button isSmall icon="link" onClick={() => void copy()}>
          {t('copy')}
        </Button>
        <Button isSmall icon="print" onClick={() => print()}>
          {t('print')}
        </Button>
        <span role="status">{isCopied && t('copied')}</span>
      </div>
    </div>
  )
}
