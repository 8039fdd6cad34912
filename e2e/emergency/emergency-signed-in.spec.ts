import { PLAIN, sharedPortal } from '../fixtures.ts'
import { expectNoSidewaysScrolling } from '../pages.ts'
import { expect, test } from '../test.ts'

const { as } = sharedPortal('serial')

test('a signed-in user sees the numbers of their own country first, and no name on the page', async ({ browser }) => {
  const page = await as(browser, 'traveler', PLAIN)
  await page.goto('/emergency')
  await expect(page.getByRole('heading', { level: 1, name: 'Emergency in Philippines' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link').first()).toHaveAttribute('href', 'tel:911')
  await expect(page.getByText('Philippines: from your profile.')).toBeVisible()
  // The page may be cached on a shared phone.
  expect(await page.content()).not.toMatch(/Sample|sample\.invalid/)
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'In danger now?' })).toContainText(
    'for Philippines, from your profile.',
  )
})

test('one tap notifies a coordinator, who finds the case with its country', async ({ browser }) => {
  const page = await as(browser, 'traveler', { ...PLAIN, viewport: { width: 360, height: 740 } })
  await page.goto('/emergency/QA')
  await page.getByRole('button', { name: 'I am not safe: tell a coordinator' }).click()
  const sent = page.getByRole('status').filter({ hasText: 'Sent.' })
  await expect(sent).toContainText(/Call \u2068999\u2069/)
  await expectNoSidewaysScrolling(page)
  const reference = /CASE-\d{4}-\w{7}/.exec((await sent.textContent())!)![0]

  const admin = await as(browser, 'admin', PLAIN)
  await admin.goto('/admin/assistant/cases?country=QA')
  await expect(admin.getByRole('main')).toContainText(reference)
})
