import { SAMPLE_PASSWORD } from '../auth.ts'
import { expectOpenToAll } from '../axe.ts'
import { PLAIN, sharedPortal } from '../fixtures.ts'
import { expect, test } from '../test.ts'

const { as, visitor } = sharedPortal('serial')
const EMAIL = 'traveler@sample.invalid'

/** The guesses, and one or two more: a request is repeated where its keep-alive connection was closed at that instant. */
const FAILURES = { name: /^(9|1[01])$/ }

// Many more are guessed in server/accounts/sign-ins/lockout.test.ts.
test('wrong passwords lock nobody out: the owner signs in on a new device, with scripts and without', async ({
  browser,
}) => {
  // Password hashing has the lowest priority, and takes seconds each on a busy machine.
  test.setTimeout(300_000)
  const { request } = await visitor(browser)
  const guesses = await Promise.all(
    Array.from({ length: 9 }, async (_, at) => {
      const data = { email: EMAIL, password: `guess number ${at}` }
      return (await request.post('/api/auth/login', { data, timeout: 300_000, maxRetries: 2 })).status()
    }),
  )
  expect(new Set(guesses)).toEqual(new Set([401]))
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
    const row = page.getByRole('row', { name: /traveler@sample\.invalid/ })
    await expect(row.getByRole('cell', FAILURES)).toBeVisible()
    await expectOpenToAll(page)
    await page.context().close()
  }
  // Also without scripts.
  const page = await as(browser, 'admin', PLAIN)
  await page.goto('/admin/users')
  await page.getByRole('link', { name: 'Sign-ins' }).click()
  const row = page.getByRole('row', { name: /traveler@sample\.invalid/ })
  await row.getByRole('button', { name: /^Send sign-in link/ }).click()
  await expect(page.getByText('Sign-in link sent.')).toBeVisible()
  await row.getByRole('button', { name: /^Lift sign-in limit/ }).click()
  await expect(page.getByText('Sign-in limit lifted.')).toBeVisible()
  await page.getByRole('link', { name: '30 days' }).click()
  await expect(row.getByRole('cell', FAILURES)).toBeVisible()
})

test('a traveler does not see them', async ({ browser }) => {
  const page = await as(browser, 'traveler')
  await page.goto('/admin/users/sign-ins')
  await expect(page.getByRole('heading', { name: 'Failed sign-ins' })).toHaveCount(0)
})
