import { randomUUID } from 'node:crypto'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal, PLAIN } from '../fixtures.ts'
import { isAlive, LANGUAGES, open } from '../pages.ts'
import { MANY_ACCOUNTS, startSeeded } from '../seed.ts'
import { expect, type Page, test } from '../test.ts'

/*
 * 3,000 accounts, 310 of them pending, and one coordinator for Japan, who sees 120 of those. The tests change what is
 * pending, so they run in order.
 */
const { portal, as } = ownPortal('serial', () => startSeeded(MANY_ACCOUNTS))

async function waiting(page: Page): Promise<{ total: number; users: { id: string; email: string }[] }> {
  const answer = await page.request.get(
    `${portal().url}/api/admin-operations/users?tab=new&per_page=200&sort=created_at`,
  )
  return answer.json()
}

for (const language of LANGUAGES)
  test(`the list, the confirmation of an action and the user page are accessible in ${language}`, async ({
    browser,
  }) => {
    const page = await as(browser, 'mfa')
    for (const query of ['', 'all=yes&', 'suggested=yes&all=yes&']) {
      await page.goto(`/admin/users?${query}lng=${language}`)
      await isAlive(page)
      await expectOpenToAll(page)
    }
    await page.locator('button[name=kind][value=refuse]').click()
    await expect(page.locator('textarea[name=message]')).toBeVisible()
    await expectOpenToAll(page)
    const { users } = await waiting(page)
    await page.goto(`/admin/users/${users[0]!.id}?lng=${language}`)
    await isAlive(page)
    await expectOpenToAll(page)
  })

test('without scripts, two accounts are selected, verified and undone', async ({ browser }) => {
  const page = await as(browser, 'mfa', PLAIN)
  await page.goto('/admin/users')
  await page.getByRole('checkbox', { name: 'Select Crisanto Bermudez 1', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Select Giulia Santos 3', exact: true }).check()
  await page.getByRole('button', { name: 'Verify…' }).click()
  await expect(page.getByText('1 account stays as it is: its email cannot be delivered.')).toBeVisible()
  await page.getByRole('button', { name: 'Verify 1 account' }).click()
  await expect(page.getByRole('row', { name: /Crisanto Bermudez 1/ })).toContainText('Verified')
  await expect(page.getByRole('row', { name: /Giulia Santos 3/ })).toContainText(
    'Not changed: email cannot be delivered',
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone. The accounts are back on the list.')).toBeVisible()
  expect((await waiting(page)).total).toBe(120)
})

test('the user page asks for one more detail, and the list shows it', async ({ browser }) => {
  const page = await as(browser, 'mfa')
  await open(page, '/admin/users?tab=new&search=Yolanda+Pascua+2')
  await page.getByRole('link', { name: 'Yolanda Pascua 2', exact: true }).click()
  await page.getByText('Ask a question…').click()
  await page.getByLabel('Your question').fill('Which church do you attend?')
  await page.getByRole('button', { name: 'Send question' }).click()
  await expect(page.getByText('Question sent.')).toBeVisible()
  await open(page, '/admin/users?tab=new&search=Yolanda+Pascua+2')
  await expect(page.getByRole('row', { name: /Yolanda Pascua 2/ })).toContainText('We asked a question')
})

test('an account of another country is hidden from a coordinator and cannot be verified by its id', async ({
  browser,
}) => {
  const admin = await as(browser, 'admin')
  const all = (await waiting(admin)).users
  const page = await as(browser, 'mfa')
  const own = new Set((await waiting(page)).users.map(({ id }) => id))
  const outsider = all.find(({ id }) => !own.has(id))!
  const answer = await page.request.post(`${portal().url}/api/accounts/actions`, {
    data: { request_key: randomUUID(), kind: 'verify', selection: { ids: [outsider.id] } },
  })
  expect(await answer.json()).toMatchObject({ results: {}, missing: 1 })
  const response = await page.goto(`/admin/users/${outsider.id}`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('navigation').getByRole('link', { name: /^Users/ })).toBeVisible()
  const after = await admin.request.get(`${portal().url}/api/admin-operations/users/${outsider.id}`)
  expect((await after.json()).user.profile_status).toBe('pending')
})

test('310 pending: a coordinator verifies all accounts in scope in four clicks and sees each result', async ({
  browser,
}) => {
  const page = await as(browser, 'mfa')
  await open(page, '/admin/coordinator')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Users/ })
    .click()
  await page.getByRole('link', { name: 'Select all 120' }).click()
  await page.getByRole('button', { name: 'Verify…' }).click()
  await expect(page.getByRole('heading', { name: 'Verify 119 accounts?' })).toBeVisible()
  await page.getByRole('button', { name: 'Verify 119 accounts' }).click()
  await expect(page.getByText('119 verified')).toBeVisible()
  await expect(page.getByText('1 not changed: email cannot be delivered')).toBeVisible()
  await expect(page.getByText('1–50 of 120')).toBeVisible()
  expect((await waiting(page)).total).toBe(1)
  // No other account changed, and no other user can read the bulk action.
  const admin = await as(browser, 'admin')
  expect((await waiting(admin)).total).toBe(191)
  const servant = await as(browser, 'servant')
  const action = new URL(page.url()).pathname.replace('/admin/users/', '/api/accounts/')
  expect((await servant.request.get(action)).status()).toBe(404)
  await open(page, '/admin/users')
  await expect(page.getByRole('region', { name: 'Last bulk action' })).toContainText('119 verified')
  await expect(page.getByRole('link', { name: 'Users' }).first()).toBeVisible()
})
