import { later } from './later.ts'
import type { Realtime } from './realtime.ts'

let shared: Promise<Realtime> | undefined

/** The page's one socket. Its code is fetched only now, after the page is there and can be used. */
export function realtime(): Promise<Realtime> {
  shared ??= later(() => import('./realtime.ts')).then(({ advisoryDelay, createRealtime }) => {
    // Older browsers take no relative address here.
    const address = `${location.origin.replace(/^http/, 'ws')}/api/realtime`
    const socket = createRealtime({ address, delay: advisoryDelay })
    const wake = () => document.hidden || socket.wake()
    window.addEventListener('online', wake)
    document.addEventListener('visibilitychange', wake)
    return socket
  })
  shared.catch(() => {
    shared = undefined
  })
  return shared
}

/** Runs when the page has finished loading: until then the network belongs to it. */
export function afterLoad(run: () => void): () => void {
  if (document.readyState === 'complete') {
    const timer = setTimeout(run)
    return () => clearTimeout(timer)
  }
  window.addEventListener('load', run, { once: true })
  return () => window.removeEventListener('load', run)
}
