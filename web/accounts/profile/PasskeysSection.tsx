import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { WaitsForPassword } from './ConfirmFirst.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import type { SignInState } from './sign-in-state.ts'

/** Passkeys. Adding one needs scripts, since the browser creates it; removing one does not. */
export function PasskeysSection({ factors, is_fresh, intent, error, done }: SignInState) {
  const t = useT('profile')
  const doneMessage = done === 'passkey' ? t('passkey_added') : done === 'passkey-removed' ? t('passkey_removed') : null
  return (
    <ProfileSection id="passkeys" title={t('passkeys')} hint={t('passkeys_hint')} done={doneMessage}>
      {factors.passkeys.length === 0 ? (
        <p>{t('passkeys_none')}</p>
      ) : (
        <Form action="/dashboard/profile/sign-in" error={intent === 'remove-passkey' ? error : undefined}>
          <input type="hidden" name="intent" value="remove-passkey" />
          {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
          <ul className={styles.list} role="list">
            {factors.passkeys.map(({ id, name, created_at }) => (
              <li key={id} className={styles.item}>
                <span>
                  <bdi>{name || t('passkey_unnamed')}</bdi>
                  {created_at && (
                    <>
                      <br />
                      <span className={styles.second}>
                        {t('since')} <Time value={created_at} look="day" />
                      </span>
                    </>
                  )}
                </span>
                {is_fresh && (
                  <Button
                    type="submit"
                    isSmall
                    name="id"
                    value={id}
                    aria-label={t('remove_named', { name: name || t('passkey_unnamed') })}
                  >
                    {t('remove')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Form>
      )}
      <noscript>
        <p className={styles.second}>{t('passkeys_scripts')}</p>
      </noscript>
      {is_fresh ? <AddPasskey /> : <WaitsForPassword />}
    </ProfileSection>
  )
}

function AddPasskey() {
  const t = useT('profile')
  const translateMessage = useTranslateMessage()
  const navigate = useNavigate()
  const name = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'idle' | 'asking' | 'impossible' | { reason: string | undefined }>('idle')

  async function add() {
    if (!('PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential))
      return setState('impossible')
    setState('asking')
    try {
      const { makePasskey } = await later(() => import('./make-passkey.ts'))
      await makePasskey(name.current?.value.trim() ?? '')
      setState('idle')
      if (name.current) name.current.value = ''
      await navigate('/dashboard/profile/sign-in?done=passkey', { preventScrollReset: true })
    } catch (error) {
      // The device's own error text is incomprehensible; the server's message is worth showing.
      setState({
        reason: 'code' in (error as object) && !(error instanceof DOMException) ? (error as Error).message : undefined,
      })
    }
  }

  return (
    <div className={`needs-script ${styles.sheet}`}>
      <div className={styles.fields}>
        <TextField
          ref={name}
          label={t('passkey_name')}
          hint={t('passkey_name_hint')}
          name="passkey_name"
          autoComplete="off"
          dir="auto"
          maxLength={60}
        />
      </div>
      <div className={styles.buttons}>
        <Button onClick={() => void add()} isBusy={state === 'asking'} busyLabel={t('passkey_busy')}>
          {t('passkey_add')}
        </Button>
      </div>
      {state === 'impossible' && <Note kind="error" title={t('passkey_impossible')} isLive />}
      {typeof state === 'object' && (
        <Note kind="error" title={t('passkey_failed')} isLive>
          <p>{translateMessage(state.reason) ?? t('passkey_failed_text')}</p>
        </Note>
      )}
    </div>
  )
}
