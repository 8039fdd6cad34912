import { useEffect, useState } from 'react'
import { useT } from '../lib/i18n.tsx'
import { later } from '../lib/later.ts'
import { Part } from '../profile/Part.tsx'
import profile from '../profile/Profile.module.css'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import type { PushState } from './push.ts'

type State = PushState | 'looking' | 'failed'

const push = () => later(() => import('./push.ts'))

/** Messages to this browser: by push, and by notices of an open page. */
export function PushPart({ browsers }: { browsers: number }) {
  const t = useT('notifications')
  return (
    <Part id="device" title={t('device')} hint={t('device_hint')}>
      <noscript>
        <p>{t('device_scripts')}</p>
      </noscript>
      <div className="needs-script">
        <Push browsers={browsers} />
      </div>
      <div className="needs-script">
        <OpenPage />
      </div>
    </Part>
  )
}

function Push({ browsers }: { browsers: number }) {
  const t = useT('notifications')
  const [state, setState] = useState<State>('looking')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    push()
      .then(({ pushState }) => pushState())
      .then(setState, () => setState('failed'))
  }, [])
  const switchTo = async (deed: 'enablePush' | 'disablePush') => {
    setBusy(true)
    setState(
      await push()
        .then((module) => module[deed]())
        .catch(() => 'failed' as const),
    )
    setBusy(false)
  }
  return (
    <div className={profile.sheet}>
      <div role="status">
        <PushWords state={state} />
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

function PushWords({ state }: { state: State }) {
  const t = useT('notifications')
  if (state === 'looking' || state === 'on' || state === 'off') return <p>{t(`push_${state}`)}</p>
  return (
    <Note kind={state === 'failed' ? 'error' : 'plain'} title={t(`push_${state}`)}>
      <p>{t(`push_${state}_text`)}</p>
    </Note>
  )
}

/** The other permission is the same one of the browser: notices that only an open page can show. */
function OpenPage() {
  const t = useT('notifications')
  const [permission, setPermission] = useState<NotificationPermission>()
  useEffect(() => setPermission(globalThis.Notification?.permission), [])
  if (permission !== 'granted' && permission !== 'default') return null
  return (
    <div className={profile.sheet}>
      <h3>{t('open_page')}</h3>
      {permission === 'granted' ? (
        <p>{t('open_page_allowed')}</p>
      ) : (
        <div className={profile.buttons}>
          <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
            {t('open_page_ask')}
          </Button>
        </div>
      )}
    </div>
  )
}
