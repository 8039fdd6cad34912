import { SAMPLE_PASSWORD } from '../auth.ts'
import { open } from '../pages.ts'
import { shownBy, startWholeBrowser, WHOLE_BROWSER, withWorker } from '../push-worker.ts'
import { expect, test } from '../test.ts'

test.skip(!WHOLE_BROWSER, 'Only a whole browser shows notifications: install Chromium or set CHROME_PATH.')

test('a push is shown by a worker that outlives visits and changes no page', async ({ baseURL }) => {
  const browser = await startWholeBrowser()
  const page = await browser.newPage({ baseURL })
  await page.request.post('/api/auth/login', {
    data: { email: 'coordinator@sample.invalid', password: SAMPLE_PASSWORD },
    headers: { origin: baseURL! },
  })
  await open(page, '/notifications/preferences')
  const deliver = await withWorker(page)
  // The browser drops a push that comes while the worker starts; a vendor's service would send it again.
  await expect(async () => {
    await deliver({ title: 'Leave Peru', body: 'Flights end tonight.', url: '/dashboard', tag: 'peru' })
    expect(await shownBy(page)).toEqual([{ title: 'Leave Peru', body: 'Flights end tonight.', url: '/dashboard' }])
  }).toPass({ timeout: 10_000 })

  // Start-up removes the caches and workers of an earlier portal, but keeps this worker.
  await page.evaluate(() => caches.open('of an earlier portal'))
  await open(page, '/dashboard')
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([])
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(1)
  await browser.close()
})
