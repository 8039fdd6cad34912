/** Service worker for push messages; it intercepts no requests. */
export const PUSH_WORKER = '/push-worker.js'
/** Caches the emergency pages in a cache of its own; it intercepts no other page. */
const EMERGENCY_WORKER = '/emergency-worker.js'
const EMERGENCY_COPIES = 'emergency-copies'

/**
 * Removes what an earlier portal at this origin left on the device: service workers, caches and its sign-in (001 §1,
 * §4). The service worker for push messages stays if the user enabled it (C-41), and that of the emergency pages with
 * its copies.
 */
export async function removeLeftovers() {
  removeSignInLeftovers()
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? []
  const caches = (await globalThis.caches?.keys()) ?? []
  await Promise.all([
    ...workers.filter((worker) => !isOurs(worker)).map((worker) => worker.unregister()),
    ...caches.filter((name) => name !== EMERGENCY_COPIES).map((name) => globalThis.caches.delete(name)),
  ])
}

function isOurs({ active, waiting, installing }: ServiceWorkerRegistration): boolean {
  const address = (active ?? waiting ?? installing)?.scriptURL
  return address !== undefined && [PUSH_WORKER, EMERGENCY_WORKER].includes(new URL(address).pathname)
}

/** Window event dispatched before the conversations are removed, so that nothing saves one afterwards. */
export const FORGOTTEN = 'assistant:forgotten'

/**
 * Removes the assistant's conversations and the copies of unsent messages from this browser, so that the next user
 * cannot find them (F-20).
 */
export function removeCopies(which = /^(assistant|composer):/) {
  window.dispatchEvent(new Event(FORGOTTEN))
  removeKeys(which)
}

/** Called on sign-out. */
export function leaveNothing() {
  removeSignInLeftovers()
  removeCopies()
}

/** Called when the session has ended by itself: its user signs in again and goes on with an unsent message. */
export function leaveUnsentMessages() {
  removeSignInLeftovers()
  removeCopies(/^assistant:/)
}

/** The earlier portal stored its tokens here. This one stores no credentials that a script could read. */
export function removeSignInLeftovers() {
  removeKeys(/oauth|auth-token|sb-/)
}

function removeKeys(which: RegExp) {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      const storage = window[name]
      for (const key of Object.keys(storage)) if (which.test(key)) storage.removeItem(key)
    } catch {
      // Storage is forbidden, so there is nothing to remove.
    }
  }
}
