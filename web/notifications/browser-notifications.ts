import type { OutputOf } from '#shared/api.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { showNotification } from '#web/advisories/browser-notification.ts'

type Arrived = OutputOf<'GET /notifications/unread'>['arrived'][number]

/**
 * Ids of notifications recently shown by this browser, so that its other pages, and the next one, do not repeat them.
 */
const SHOWN = 'notifications-shown'
const MAX_CACHED = 50

/** Also shows new notifications by the browser, if the user permitted it. */
export function showArrived(arrived: readonly Arrived[]) {
  if (globalThis.Notification?.permission !== 'granted') return
  const shown = shownBefore()
  for (const { id, title, message, priority, action_url } of arrived) {
    if (shown.includes(id)) continue
    shown.push(id)
    show({ title, body: message, tag: id, isUrgent: priority === 'urgent' }, action_url)
  }
  try {
    localStorage.setItem(SHOWN, JSON.stringify(shown.slice(-MAX_CACHED)))
  } catch {
    // Without storage each page shows it once.
  }
}

function show(content: Parameters<typeof showNotification>[0], actionUrl: string | null) {
  try {
    const notification = showNotification(content)
    if (!notification) return
    notification.onclick = () => {
      notification.close()
      window.focus()
      location.assign(safeReturnTo(actionUrl) ?? '/notifications')
    }
  } catch {
    // Mobile browsers show no notifications for an open page: the unread count includes it.
  }
}

function shownBefore(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(SHOWN) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
