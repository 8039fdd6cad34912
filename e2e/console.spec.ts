import { listen, reportPolicyViolations } from './console.ts'
import { open } from './pages.ts'
import { expect, test } from './test.ts'

test('a walk through the portal logs nothing to the console', async ({ page, baseURL }) => {
  const heard = listen(page, baseURL!)
  await reportPolicyViolations(page)
  await open(page, '/')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('link', { name: 'Travel Advisories' }).click()
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Why' })).toBeVisible()
  await page.getByRole('dialog').getByRole('link', { name: 'Compare them side by side' }).click()
  await expect(page.getByRole('heading', { name: 'What each source says' })).toBeVisible()
  // The advisory is open over the list again, as it was.
  await page.goBack()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('searchbox').fill('guinea')
  await expect(page).toHaveURL(/search=guinea/)
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Refreshing...' })).toBeHidden()
  await menu.getByRole('link', { name: 'Travel FAQ' }).click()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Which country/ })).toBeVisible()
  expect(heard).toEqual([])
})

test('the browser stores only theme and language', async ({ page, context }) => {
  await open(page, '/travel-advisories?lng=ar')
  await page.getByRole('contentinfo').getByRole('button').nth(1).click()
  await page.goto('/')
  const storage = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: Object.keys(sessionStorage).filter((key) => key !== 'react-router-scroll-positions'),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
  }))
  expect(storage).toEqual({ local: { theme: 'dark' }, session: [], databases: [], caches: [] })
  expect((await context.cookies()).map(({ name, value }) => `${name}=${value}`)).toEqual(['lng=ar'])
})

test('workers and caches of an earlier portal are removed on the next visit', async ({ page, context }) => {
  await context.route('**/old-worker.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'addEventListener("fetch", () => {})' }),
  )
  await page.goto('/')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/old-worker.js')
    await navigator.serviceWorker.ready
    await (await caches.open('old')).put('/old', new Response('old'))
  })
  await page.goto('/travel-faq')
  const left = () =>
    page.evaluate(async () => [
      ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
      ...(await caches.keys()),
    ])
  await expect.poll(left).toEqual([])
})
