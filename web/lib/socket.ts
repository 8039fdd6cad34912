import { later } from './load-code.ts'
import type { Realtime } from './realtime.ts'

let shared: Promise<Realtime> | undefined

/** The page's one socket. Its code is loaded only now, once the page is interactive. */
export function realtime(): Promise<Realtime> {
  shared ??= later(() => import('./realtime.ts')).then(({ advisoryDelay, Realtime }) => {
    // Older browsers do not accept a relative URL here.
    const address = `${location.origin.replace(/^http/, 'ws')}/api/realtime`
    const socket = new Realtime({ address, delay: advisoryDelay })
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

/**
 * Calls `enter` with the socket once the page has loaded; the function it returns is called on leaving. Without a
 * socket nothing happens: callers also poll.
 */
export function withSocket(enter: (socket: Realtime) => () => void): () => void {
  let leave: (() => void) | undefined
  let isGone = false
  const stopWaiting = afterLoad(() =>
    realtime().then(
      (socket) => {
        if (!isGone) leave = enter(socket)
      },
      () => {},
    ),
  )
  return () => {
    isGone = true
    stopWaiting()
    leave?.()
  }
}

/** Runs after the page has loaded, so as not to compete with it for the network. */
function afterLoad(run: () => void): () => void {
  if (document.readyState === 'complete') {
    const timer = setTimeout(run)
    return () => clearTimeout(timer)
  }
  window.addEventListener('load', run, { once: true })
  return () => window.removeEventListener('load', run)
}
