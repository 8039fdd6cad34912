/** Shows push messages; no page passes through it. */
export const PUSH_WORKER = '/push-worker.js'
/** Keeps copies of the emergency pages, in a cache of its own; no other page passes through it. */
const EMERGENCY_WORKER = '/emergency-worker.js'
const EMERGENCY_COPIES = 'emergency-copies'

/**
 * Removes what an earlier portal at this address left on the device: service workers, caches and its sign-in (001 §1,
 * §4). The worker for push messages stays where the person switched it on (C-41), and the one of the emergency pages with
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

/** Told on the window before the conversations go: whoever would keep one must not. */
export const FORGOTTEN = 'assistant:forgotten'

/** Conversations that the assistant keeps in this browser: nobody who comes after finds them (F-20). */
export function removeCopies() {
  window.dispatchEvent(new Event(FORGOTTEN))
  removeKeys(/^assistant:/)
}

/** When somebody goes, or is no longer in. */
export function leaveNothing() {
  removeSignInLeftovers()
  removeCopies()
}

/** The earlier portal kept its tokens here. This one keeps nothing that signs anybody in where a script could read it. */
export function removeSignInLeftovers() {
  removeKeys(/oauth|auth-token|sb-/)
}

function removeKeys(which: RegExp) {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      const storage = window[name]
      for (const key of Object.keys(storage)) if (which.test(key)) storage.removeItem(key)
    } catch {
      // A device that forbids storage holds nothing.
    }
  }
}
