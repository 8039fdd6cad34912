// Shows messages that come while no page of the portal is open. It has no fetch handler and keeps nothing: pages never
// pass through here.

self.addEventListener('push', (event) => {
  event.waitUntil(show(textOf(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(lead(event.notification.data?.url))
})

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event))
})

/** Every push has to be shown: a browser that was asked in vain may take the permission back. */
async function show({ title, body, url, tag, id, isUrgent, data }) {
  // What was sent twice takes its own place, and is not heard a second time.
  const shown = tag && id ? await self.registration.getNotifications({ tag }) : []
  const isKnown = shown.some((notification) => notification.data?.id === id)
  await self.registration.showNotification(title || 'MFA Portal', {
    body: body || '',
    // A later version of the same takes the place of the earlier one, and is heard again.
    ...(tag ? { tag, renotify: !isKnown } : {}),
    requireInteraction: Boolean(isUrgent),
    icon: '/favicon.svg',
    lang: '',
    dir: 'auto',
    data: { ...(data && typeof data === 'object' ? data : {}), url, id },
  })
}

function textOf(data) {
  try {
    const text = data?.json()
    return text && typeof text === 'object' ? text : {}
  } catch {
    return { body: data?.text() }
  }
}

/** Only into the portal, whatever was sent. */
async function lead(url) {
  const to = new URL(typeof url === 'string' ? url : '/notifications', self.location.origin)
  const address = to.origin === self.location.origin ? to.href : `${self.location.origin}/notifications`
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find((page) => page.url === address)
  return open ? open.focus() : self.clients.openWindow(address)
}

/** The browser got another address to be written to; the portal learns it, for as long as the person is signed in. */
async function renew({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options
  const subscription =
    newSubscription ?? (options && (await self.registration.pushManager.subscribe(options))) ?? undefined
  const tell = (method, body) =>
    fetch('/api/notifications/browsers', {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  if (subscription) {
    const { endpoint, keys } = subscription.toJSON()
    await tell('POST', { endpoint, keys })
  }
  if (oldSubscription && oldSubscription.endpoint !== subscription?.endpoint)
    await tell('DELETE', { endpoint: oldSubscription.endpoint })
}
