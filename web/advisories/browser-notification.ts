const NOTIFICATION_CLOSES_MS = 10_000

interface BrowserNotification {
  title: string
  body: string
  /** The same tag replaces what is shown of it already: an advisory speaks once. */
  tag: string
  isUrgent: boolean
}

/** Shows a notice of the browser, where it was allowed. One that is not urgent closes by itself; an urgent one stays. */
export function showNotification(
  { title, body, tag, isUrgent }: BrowserNotification,
  Shown: typeof Notification | undefined = globalThis.Notification,
) {
  if (Shown?.permission !== 'granted') return undefined
  const notification = new Shown(title, { body, tag, requireInteraction: isUrgent })
  if (!isUrgent) setTimeout(() => notification.close(), NOTIFICATION_CLOSES_MS)
  return notification
}
