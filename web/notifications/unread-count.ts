import type { OutputOf } from '#shared/api.ts'
import { pollWhileVisible, type VisiblePage } from '#web/advisories/poll.ts'
import { onInboxEvent } from './inbox-events.ts'

/** NOTIF-28 */
export const FIRST_LOOK_MS = 3_000
/** Makes up for events the socket missed. */
export const POLL_MS = 60_000
/** Events within this time share one fetch. */
export const TOGETHER_MS = 300
/** Fetches after an event for all users are spread over this time. */
export const SPREAD_MS = 5_000

type Heard = (count: number) => void
const listeners = new Set<Heard>()

/** Calls `heard` with every newly fetched count, until the returned function is called. */
export function onUnreadCount(heard: Heard): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

interface PollingDeps {
  page?: VisiblePage
  ask?: typeof fetch
  hear?: typeof onInboxEvent
}

/** Keeps the count fresh while a page with an inbox link is open: by socket events and polling. */
export function pollUnreadCount({ page = document, ask = fetch, hear = onInboxEvent }: PollingDeps = {}): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  const lookWithin = (ms: number) => {
    waiting ??= setTimeout(() => {
      waiting = undefined
      void look(ask)
    }, Math.random() * ms)
  }
  const first = setTimeout(() => void lookFirst(ask), FIRST_LOOK_MS)
  const endPolling = pollWhileVisible(() => lookWithin(TOGETHER_MS), POLL_MS, page)
  const endHearing = hear((isForEverybody) => lookWithin(isForEverybody ? SPREAD_MS : TOGETHER_MS))
  return () => {
    clearTimeout(first)
    clearTimeout(waiting)
    endPolling()
    endHearing()
  }
}

async function lookFirst(ask: typeof fetch) {
  const stats = await read<'GET /admin-operations/notification-stats'>(ask, '/admin-operations/notification-stats')
  if (stats) emit(stats.unread)
}

async function look(ask: typeof fetch) {
  const inbox = await read<'GET /notifications/unread'>(ask, '/notifications/unread')
  if (!inbox) return
  emit(inbox.unreadCount)
  if (inbox.arrived.length > 0) (await import('./browser-notifications.ts')).showArrived(inbox.arrived)
}

function emit(count: number) {
  for (const heard of listeners) heard(count)
}

/**
 * Bypasses the rules of other calls: it is not urgent, is soon repeated, and an expired session is reported by the
 * user's next action. Until a response arrives, the count stays (NOTIF-31, NOTIF-33).
 */
async function read<K extends 'GET /admin-operations/notification-stats' | 'GET /notifications/unread'>(
  ask: typeof fetch,
  path: string,
): Promise<OutputOf<K> | undefined> {
  try {
    const headers = { accept: 'application/json' }
    const response = await ask(`/api${path}`, { headers, signal: AbortSignal.timeout(8_000) })
    return response.ok ? ((await response.json()) as OutputOf<K>) : undefined
  } catch {
    return undefined
  }
}
