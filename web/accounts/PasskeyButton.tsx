import { useState, useSyncExternalStore } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import { Button } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './OtherSignInMethods.module.css'

const neverChanges = () => () => {}

/** Signs in with a passkey, which covers both steps. Shown only where the device supports it. */
export function PasskeyButton({ returnTo }: { returnTo: string | null }) {
  const t = useT('accounts')
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const isPossible = useSyncExternalStore(
    neverChanges,
    () => 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential,
    () => false,
  )
  if (!isPossible) return null

  async function ask() {
    setState('asking')
    try {
      const { signInWithPasskey } = await later(() => import('./passkey.ts'))
      location.assign(await signInWithPasskey(returnTo))
    } catch {
      setState('failed')
    }
  }

  return (
    <div className={styles.passkey}>
      <Button onClick={() => void ask()} isBusy={state === 'asking'} busyLabel={t('passkey_busy')}>
        {t('continue_passkey')}
      </Button>
      {state === 'failed' && (
        <Note kind="error" title={t('passkey_failed')} isLive>
          <p>{t('passkey_failed_text')}</p>
        </Note>
      )}
    </div>
  )
}
