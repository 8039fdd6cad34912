import { type Browser, chromium, type Page, test } from './test.ts'

/** Only a full browser shows notifications; the headless shell accepts a push silently. */
export const WHOLE_BROWSER = process.env.WHOLE_CHROME_PATH

/** Starts the browser that shows notifications, with the test settings. The caller closes it. */
export function startWholeBrowser(): Promise<Browser> {
  return chromium.launch({ ...test.info().project.use.launchOptions, executablePath: WHOLE_BROWSER })
}

/**
 * Registers the portal's service worker in the page; returns a function that delivers a push to it, like the browser
 * vendor's push service.
 */
export async function withWorker(page: Page): Promise<(payload: object) => Promise<unknown>> {
  await page.context().grantPermissions(['notifications'])
  const devices = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    devices.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    }),
  )
  await devices.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
  })
  const registrationId = await registered
  const { origin } = new URL(page.url())
  return (payload) =>
    devices.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) })
}

/** Notifications currently shown by the worker. */
export const shownBy = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return (await registration?.getNotifications())?.map(({ title, body, data }) => ({
      title,
      body,
      url: data.url as string,
    }))
  })
