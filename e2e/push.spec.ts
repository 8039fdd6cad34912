import { chromium, expect, test } from '@playwright/test'
import { SAMPLE_PASSWORD } from './entrance.ts'
import { open } from './pages.ts'

const WHOLE_BROWSER = process.env.WHOLE_CHROME_PATH

test.skip(!WHOLE_BROWSER, 'Only a whole browser shows notifications: install Chromium or set CHROME_PATH.')

test('a push is shown by a worker that outlives visits and touches no page', async ({ baseURL }) => {
  const { launchOptions } = test.info().project.use
  const browser = await chromium.launch({ ...launchOptions, executablePath: WHOLE_BROWSER })
  const page = await browser.newPage({ baseURL })
  await page.request.post('/api/auth/login', {
    data: { email: 'coordinator@sample.invalid', password: SAMPLE_PASSWORD },
    headers: { origin: baseURL! },
  })
  await page.context().grantPermissions(['notifications'])
  await open(page, '/notifications/preferences')
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
  const data = JSON.stringify({ title: 'Leave Peru', body: 'Flights end tonight.', url: '/dashboard', tag: 'peru' })
  const registrationId = await registered
  await devices.send('ServiceWorker.deliverPushMessage', { origin: baseURL!, registrationId, data })
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      return (await registration?.getNotifications())?.map(({ title, body }) => ({ title, body }))
    })
  await expect.poll(shown).toEqual([{ title: 'Leave Peru', body: 'Flights end tonight.' }])

  // Start-up removes what an earlier portal has left, its caches with its workers, and this worker stays.
  await page.evaluate(() => caches.open('of an earlier portal'))
  await open(page, '/dashboard')
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([])
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(1)
  await browser.close()
})
