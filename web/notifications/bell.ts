import type { OutputOf } from '#shared/api.ts'
import { pollWhileVisible } from '../advisories/poll.ts'
import { afterLoad, realtime } from '../lib/socket.ts'

/** NOTIF-28 */
export const FIRST_LOOK_MS = 3_000
/** Makes up for what the socket missed. */
export const POLL_MS = 60_000
/** Several rings in one moment are one look. */
const TOGETHER_MS = 300
/** What is told to everybody is looked at over this time, not by all in the same moment. */
export const SPREAD_MS = 5_000

type Heard = (count: number) => void
const listeners = new Set<Heard>()

/** Calls `heard` with the count whenever it was asked for anew, until the returned function is called. */
export function onCounted(heard: Heard): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

/** Keeps the count fresh while a page with a bell is open: by the socket, and by asking now and then. */
export function watchBell(): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  let leave: (() => void) | undefined
  let isGone = false
  const lookWithin = (ms: number) => {
    waiting ??= setTimeout(() => {
      waiting = undefined
      void look()
    }, ms)
  }
  const first = setTimeout(lookFirst, FIRST_LOOK_MS)
  const endPolling = pollWhileVisible(() => lookWithin(0), POLL_MS)
  const stopWaiting = afterLoad(() =>
    realtime().then(
      (socket) => {
        if (isGone) return
        const leaveRoom = socket.listen('own', ({ event, payload }) => {
          if (event === 'notification')
            lookWithin(payload.is_for_everybody ? Math.random() * SPREAD_MS : Math.random() * TOGETHER_MS)
        })
        // What rang while nobody listened does not ring again.
        const endStatus = socket.onStatus((status) => status === 'connected' && lookWithin(TOGETHER_MS))
        leave = () => {
          leaveRoom()
          endStatus()
        }
      },
      // Without the socket the asking goes on.
      () => {},
    ),
  )
  return () => {
    isGone = true
    clearTimeout(first)
    clearTimeout(waiting)
    endPolling()
    stopWaiting()
    leave?.()
  }
}

async function lookFirst() {
  const stats = await read<'GET /admin-operations/notification-stats'>('/admin-operations/notification-stats')
  if (stats) tell(stats.unread)
}

async function look() {
  const bell = await read<'GET /notifications/unread'>('/notifications/unread')
  if (!bell) return
  tell(bell.unreadCount)
  if (bell.arrived.length > 0) (await import('./arrived.ts')).showArrived(bell.arrived)
}

function tell(count: number) {
  for (const heard of listeners) heard(count)
}

/**
 * Asked without the rules of other calls: nobody waits for it, it is asked again soon, and a session that is over is
 * told by whatever the person does next (NOTIF-31, NOTIF-33).
 */
async function read<K extends 'GET /admin-operations/notification-stats' | 'GET /notifications/unread'>(
  path: string,
): Promise<OutputOf<K> | undefined> {
  try {
    const response = await fetch(`/api${path}`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(8_000),
    })
    return response.ok ? ((await response.json()) as OutputOf<K>) : undefined
  } catch {
    return undefined
  }
}
