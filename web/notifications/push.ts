import { call } from '#web/lib/call.ts'
import { PUSH_WORKER } from '#web/lib/leftovers.ts'

/**
 * Push support of this browser: 'home' is an iPhone whose portal is not on the home screen, 'unavailable' a portal
 * without keys.
 */
export type PushState = 'on' | 'off' | 'denied' | 'home' | 'unsupported' | 'unavailable'

/** The current state; does not prompt the user. */
export async function pushState(): Promise<PushState> {
  const cannot = whyNot()
  if (cannot) return cannot
  if (!(await serverKey())) return 'unavailable'
  return (await subscription()) ? 'on' : 'off'
}

/** Requests permission and registers the push endpoint. Call only on a button press. */
export async function enablePush(): Promise<PushState> {
  const cannot = whyNot()
  if (cannot) return cannot
  if ((await Notification.requestPermission()) !== 'granted') return whyNot() ?? 'off'
  const key = await serverKey()
  if (!key) return 'unavailable'
  await navigator.serviceWorker.register(PUSH_WORKER, { scope: '/', updateViaCache: 'none' })
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription made with another key is rejected by the push service.
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = made.toJSON()
  try {
    await call('POST /notifications/browsers', {
      body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
    })
  } catch (error) {
    await disablePush().catch(() => {})
    throw error
  }
  return 'on'
}

/** Unsubscribes this browser and removes the service worker. */
export async function disablePush(): Promise<PushState> {
  const registration = await worker()
  const known = await registration?.pushManager.getSubscription()
  // The browser's own unsubscription takes effect at once, whatever the portal responds: it prunes dead endpoints.
  await known?.unsubscribe()
  await registration?.unregister()
  if (known) await call('DELETE /notifications/browsers', { body: { endpoint: known.endpoint } })
  return 'off'
}

function whyNot(): PushState | undefined {
  const isApple =
    /iPad|iPhone|iPod/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  const isOnHomeScreen = matchMedia('(display-mode: standalone)').matches
  if (isApple && !isOnHomeScreen) return 'home'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : undefined
}

async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  return registration?.active?.scriptURL.endsWith(PUSH_WORKER) ? registration : undefined
}

const subscription = async () => (await worker())?.pushManager.getSubscription()

/** Undefined if this portal sends no push messages. */
const serverKey = () =>
  call('GET /public/push-key').then(
    ({ public_key }) => public_key,
    (error: { status?: number }) => {
      if (error.status !== 404) throw error
      return undefined
    },
  )
