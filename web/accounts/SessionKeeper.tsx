import { useEffect, useRef, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { leaveNothing } from '#web/lib/leftovers.ts'
import { useExpiresAt, useUser } from '#web/lib/root-data.ts'
import { call } from '#web/lib/transport.ts'
import { Note } from '#web/ui/Note.tsx'
import styles from './SessionKeeper.module.css'
import { signOutWithin, startSessionRenewal } from './session.ts'
import { emitArrival, emitSessionEvent } from './session-events.ts'
import { broadcastSignOut, onSignedOutElsewhere } from './tabs.ts'
import { endSession, loginUrl, refresh, UNAUTHORIZED } from './unauthorized.ts'

/** Rendered once in every layout for signed-in users: renews the session, detects its end, and signs out. */
export function SessionKeeper() {
  const t = useT('common')
  useSessionRenewal()
  useEnd()
  useUserUpdates()
  const error = useSignOut()
  if (!error) return null
  return (
    <div className={styles.note}>
      <Note kind="error" title={t(error === 'Sign out timed out' ? 'sign_out_timeout' : 'sign_out_failed')} isLive>
        <p>{t('sign_out_failed_text')}</p>
      </Note>
    </div>
  )
}

function useSessionRenewal() {
  const expiresAt = useExpiresAt()
  useEffect(() => emitArrival(), [])
  useEffect(() => {
    if (!expiresAt) return
    return startSessionRenewal({ expiresAt: Date.parse(expiresAt), refresh, emit: emitSessionEvent, onEnd: endSession })
  }, [expiresAt])
}

function useEnd() {
  useEffect(() => {
    const leave = (event: Event) => {
      event.preventDefault()
      // A full document load, so that no user data stays in memory.
      location.assign(loginUrl('expired'))
    }
    window.addEventListener(UNAUTHORIZED, leave)
    return () => window.removeEventListener(UNAUTHORIZED, leave)
  }, [])
  useEffect(
    () =>
      onSignedOutElsewhere(() => {
        leaveNothing()
        emitSessionEvent('SIGNED_OUT')
        location.assign('/login?ended=signed-out')
      }),
    [],
  )
}

function useUserUpdates() {
  const user = useUser()
  const known = JSON.stringify(user)
  const before = useRef(known)
  useEffect(() => {
    if (before.current === known) return
    before.current = known
    emitSessionEvent('USER_UPDATED')
  }, [known])
}

/** Submits the sign-out forms by script where available, to notify other tabs and to report a server that hangs. */
function useSignOut() {
  const [error, setError] = useState<string>()
  useEffect(() => {
    const submitted = async (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      if (new URL(form.action, location.href).pathname !== '/logout') return
      event.preventDefault()
      setError(undefined)
      const scope = new FormData(form, event.submitter).get('scope') === 'global' ? 'global' : 'local'
      try {
        await signOutWithin(() => call('POST /auth/logout', { body: { scope } }), leaveNothing)
        emitSessionEvent('SIGNED_OUT')
        broadcastSignOut()
        location.assign('/login?ended=signed-out')
      } catch (error) {
        setError((error as Error).message)
      }
    }
    document.addEventListener('submit', submitted)
    return () => document.removeEventListener('submit', submitted)
  }, [])
  return error
}
