/** Removes service workers and caches that an earlier portal at this address left on the device (001 §1). */
export async function removeLeftovers() {
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? []
  const caches = (await globalThis.caches?.keys()) ?? []
  await Promise.all([
    ...workers.map((worker) => worker.unregister()),
    ...caches.map((name) => globalThis.caches.delete(name)),
  ])
}
