const NOTIFICATION_CLOSES_MS = 10_000

interface BrowserNotification {
  title: string
  body: string
  /** A notification replaces one with the same tag, so an advisory is shown once. */
  tag: string
  isUrgent: boolean
}

/** What is used of `Notification`. */
interface NotificationClass {
  readonly permission: NotificationPermission
  new (title: string, options: NotificationOptions): Pick<Notification, 'close' | 'onclick'>
}

/** Shows a browser notification if permitted. Urgent ones stay open; others close by themselves. */
export function showNotification(
  { title, body, tag, isUrgent }: BrowserNotification,
  Shown: NotificationClass | undefined = globalThis.Notification,
) {
  if (Shown?.permission !== 'granted') return undefined
  const notification = new Shown(title, { body, tag, requireInteraction: isUrgent })
  if (!isUrgent) setTimeout(() => notification.close(), NOTIFICATION_CLOSES_MS)
  return notification
}
