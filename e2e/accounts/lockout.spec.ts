import { SAMPLE_PASSWORD } from '../auth.ts'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal, PLAIN } from '../fixtures.ts'
import { expect, type Page, test } from '../test.ts'

const { portal, as, visitor } = ownPortal('serial')
const EMAIL = 'traveler@sample.invalid'

/** Password guesses from outside, as an attacker's program sends them. */
async function guess(page: Page, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 9)
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(9, count - at) }, async (_, more) => {
          const data = { email: EMAIL, password: `guess number ${at + more}` }
          // A keep-alive connection may be closed at the instant it is reused.
          const options = { data, timeout: 300_000, maxRetries: 2 }
          return (await page.request.post(`${portal().url}/api/auth/login`, options)).status()
        }),
      )),
    )
  return statuses
}

test('63 wrong passwords lock nobody out: the owner signs in on a new device, with scripts and without', async ({
  browser,
}) => {
  // Password hashing has the lowest priority, and takes seconds each on a busy machine.
  test.setTimeout(900_000)
  expect(new Set(await guess(await visitor(browser), 63))).toEqual(new Set([401]))
  for (const options of [{}, PLAIN]) {
    const page = await visitor(browser, options)
    await page.goto('/login')
    await page.getByLabel('Email address or phone number').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard/, { timeout: 120_000 })
    await page.context().close()
  }
})

test('administrators see the failed attempts and help the owner', async ({ browser }) => {
  for (const [language, heading] of [
    ['en', 'Failed sign-ins'],
    ['ar', 'محاولات الدخول الفاشلة'],
  ] as const) {
    const page = await as(browser, 'admin')
    await page.goto(`/admin/users/sign-ins?lng=${language}`)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByRole('row', { name: /traveler@sample\.invalid/ })).toContainText(/6[3-5]/)
    await expectOpenToAll(page)
    await page.context().close()
  }
  // Also without scripts.
  const page = await as(browser, 'admin', PLAIN)
  await page.goto('/admin/users')
  await page.getByRole('link', { name: 'Sign-ins' }).click()
  const row = page.getByRole('row', { name: /traveler@sample\.invalid/ })
  await row.getByRole('button', { name: /^Send a sign-in link/ }).click()
  await expect(page.getByText('The sign-in link is on its way.')).toBeVisible()
  await row.getByRole('button', { name: /^Clear the slow-down/ }).click()
  await expect(page.getByText('The slow-down is cleared.')).toBeVisible()
  await page.getByRole('link', { name: '30 days' }).click()
  await expect(row).toContainText(/6[3-5]/)
})

test('a traveler does not see them', async ({ browser }) => {
  const page = await as(browser, 'traveler')
  await page.goto('/admin/users/sign-ins')
  await expect(page.getByRole('heading', { name: 'Failed sign-ins' })).toHaveCount(0)
})
