/** Removes what an earlier portal at this address left on the device: service workers, caches and its sign-in (001 §1, §4). */
export async function removeLeftovers() {
  removeSignInLeftovers()
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? []
  const caches = (await globalThis.caches?.keys()) ?? []
  await Promise.all([
    ...workers.map((worker) => worker.unregister()),
    ...caches.map((name) => globalThis.caches.delete(name)),
  ])
}

/** The earlier portal kept its tokens here. This one keeps nothing that signs anybody in where a script could read it. */
export function removeSignInLeftovers() {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      const storage = window[name]
      for (const key of Object.keys(storage)) if (/oauth|auth-token|sb-/.test(key)) storage.removeItem(key)
    } catch {
      // A device that forbids storage holds nothing.
    }
  }
}
