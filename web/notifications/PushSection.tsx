import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import profile from '#web/accounts/profile/Profile.module.css'
import { ProfileSection } from '#web/accounts/profile/ProfileSection.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import { Button } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { PushState } from './push.ts'

type State = PushState | 'looking' | 'failed'

const push = () => later(() => import('./push.ts'))

/** Notifications to this browser: by push, and by an open page. */
export function PushSection({ browsers }: { browsers: number }) {
  const t = useT('notifications')
  const [permission, setPermission] = useState<NotificationPermission>()
  const readPermission = () => setPermission(globalThis.Notification?.permission)
  useEffect(readPermission, [])
  return (
    <ProfileSection id="device" title={t('device')} hint={t('device_hint')}>
      <noscript>
        <p>{t('device_scripts')}</p>
      </noscript>
      <div className="needs-script">
        <Push browsers={browsers} onPermissionChange={readPermission} />
      </div>
      <OpenPage permission={permission} onPermissionChange={readPermission} />
    </ProfileSection>
  )
}

function Push({ browsers, onPermissionChange }: { browsers: number; onPermissionChange: () => void }) {
  const t = useT('notifications')
  const [found, setState] = useState<State>('looking')
  const { revalidate } = useRevalidator()
  // An endpoint unknown to the portal receives nothing: it belonged to another user, or was forgotten.
  const state = found === 'on' && browsers === 0 ? 'off' : found
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    push()
      .then(({ pushState }) => pushState())
      .then(setState, () => setState('failed'))
  }, [])
  const switchTo = async (action: 'enablePush' | 'disablePush') => {
    setBusy(true)
    const next = await push()
      .then((module) => module[action]())
      .catch(() => 'failed' as const)
    await revalidate()
    setState(next)
    onPermissionChange()
    setBusy(false)
  }
  return (
    <div className={profile.sheet}>
      <div role="status">
        <PushStateText state={state} />
      </div>
      {(state === 'off' || state === 'failed') && (
        <div className={profile.buttons}>
          <Button isBusy={isBusy} busyLabel={t('push_working')} onClick={() => void switchTo('enablePush')}>
            {t('push_enable')}
          </Button>
        </div>
      )}
      {state === 'on' && (
        <div className={profile.buttons}>
          <Button isBusy={isBusy} busyLabel={t('push_working')} onClick={() => void switchTo('disablePush')}>
            {t('push_disable')}
          </Button>
        </div>
      )}
      {browsers > 0 && <p className={profile.second}>{t('browsers_count', { count: browsers })}</p>}
    </div>
  )
}

function PushStateText({ state }: { state: State }) {
  const t = useT('notifications')
  if (state === 'looking' || state === 'on' || state === 'off') return <p>{t(`push_${state}`)}</p>
  return (
    <Note kind={state === 'failed' ? 'error' : 'plain'} title={t(`push_${state}`)}>
      <p>{t(`push_${state}_text`)}</p>
    </Note>
  )
}

/** With the same browser permission: notifications that only an open page can show. */
function OpenPage({
  permission,
  onPermissionChange,
}: {
  permission: NotificationPermission | undefined
  onPermissionChange: () => void
}) {
  const t = useT('notifications')
  if (permission !== 'granted' && permission !== 'default') return null
  return (
    <div className={profile.sheet}>
      <h3>{t('open_page')}</h3>
      {permission === 'granted' ? (
        <p>{t('open_page_allowed')}</p>
      ) : (
        <div className={profile.buttons}>
          <Button onClick={() => void Notification.requestPermission().then(onPermissionChange)}>
            {t('open_page_ask')}
          </Button>
        </div>
      )}
    </div>
  )
}
