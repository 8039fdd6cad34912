import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { isAlive, LANGUAGES, open } from '../pages.ts'
import { signUp } from '../portal.ts'
import { expect, type Page, test } from '../test.ts'

const PASSWORD = 'portal-sample'

// These tests change roles.
const { portal, as } = ownPortal('serial')

async function signIn(page: Page, email: string, password = PASSWORD) {
  const answer = await page.request.post(`${portal().url}/api/auth/login`, { data: { email, password } })
  expect(answer.status()).toBe(200)
}

const whoAmI = async (page: Page) => {
  const answer = await page.request.get(`${portal().url}/api/auth/user`)
  return answer.ok() ? ((await answer.json()) as { user: { role: string } }).user.role : answer.status()
}

/** Opens a user from the list by searching for the name. */
async function openUser(page: Page, name: string) {
  await open(page, `/admin/users?search=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

test('a coordinator verifies a new account on its own page, and flags another', async ({ browser }) => {
  await signUp(portal(), 'Maria', 'maria@example.org')
  await signUp(portal(), 'Jose', 'jose@example.org')
  const page = await as(browser, 'mfa')
  await open(page, '/admin/coordinator')
  await page.getByRole('button', { name: 'Verify Maria Santos' }).click()
  await expect(page.getByText('Verify Maria Santos?')).toBeVisible()
  await page.getByRole('button', { name: 'Verify Maria Santos' }).click()
  await expect(page.getByText('The account is active. We notified the person.')).toBeVisible()
  await expect(page.getByText('maria@example.org')).toHaveCount(0)
  await page.getByRole('region', { name: 'New accounts' }).locator('summary').first().click()
  await page.getByLabel('Reason').fill('Nobody in the chapter knows him')
  await page.getByRole('button', { name: 'Flag' }).click()
  await expect(page.getByText('Nobody in the chapter knows him')).toBeVisible()

  const admin = await as(browser, 'admin')
  await open(admin, '/admin/users?tab=flagged')
  await expect(admin.getByRole('row', { name: /Jose Santos/ })).toContainText('Flagged')
  await openUser(admin, 'Maria Santos')
  await expect(admin.getByRole('region', { name: 'Account details' })).toContainText('Sample Coordinator')
})

test('an administrator changes a role, which applies from the user’s next request', async ({ browser }) => {
  const member = await as(browser, 'member')
  expect(await whoAmI(member)).toBe('member')
  const page = await as(browser, 'admin')
  await openUser(page, 'Sample Member')
  const main = page.getByRole('main')
  await main.getByText('Change role', { exact: true }).first().click()
  await main.getByLabel('Role', { exact: true }).selectOption('local_servant')
  const countries = main.getByRole('combobox', { name: 'Countries', exact: true })
  const offered = main.getByRole('listbox', { name: 'Countries', exact: true })
  await countries.fill('jap')
  await countries.press('ArrowDown')
  await expect(offered.getByRole('option', { name: 'Japan' })).toHaveAttribute('aria-selected', 'true')
  await countries.press('Enter')
  await expect(main.getByRole('button', { name: 'Remove Japan' })).toBeVisible()
  await countries.fill('Atlantis')
  await main.getByRole('button', { name: 'Review change…' }).click()
  // Input that matches no country is not dropped silently.
  await expect(main.getByText('Choose from the list')).toBeVisible()
  await expect(countries).toBeFocused()
  await expect(countries).toHaveValue('Atlantis')
  await countries.fill('guinea')
  await offered.getByRole('option', { name: 'Papua New Guinea' }).click()
  await countries.fill('saudi arabia')
  await main.getByLabel('Role ends on').focus()
  await expect(main.getByRole('button', { name: 'Remove Saudi Arabia' })).toBeVisible()
  await main.getByRole('button', { name: 'Remove Papua New Guinea' }).click()
  await expect(main.getByRole('button', { name: 'Remove Papua New Guinea' })).toHaveCount(0)
  await expect(countries).toBeFocused()
  await main.getByLabel('Role ends on').fill('2099-12-31')
  await main.getByRole('button', { name: 'Review change…' }).click()
  await expect(main.getByText('Change role of Sample Member to Local servant?')).toBeVisible()
  await expect(main.getByText('Applies to: Japan, Saudi Arabia.')).toBeVisible()
  expect(await whoAmI(member)).toBe('member')
  await main.getByRole('button', { name: 'Change role' }).click()
  await expect(main.getByText('Role changed. We notified the person.')).toBeVisible()
  expect(await whoAmI(member)).toBe('local_servant')
  await open(page, '/admin/data?action=user.role')
  await expect(
    page.getByRole('main').getByRole('listitem').filter({ hasText: 'made Sample Member' }).first(),
  ).toContainText(/Sample Admin made Sample Member local servant for .*Japan.*Saudi Arabia/)
})

test('a suspended user is signed out at once and cannot sign in again', async ({ browser }) => {
  const traveler = await as(browser, 'traveler')
  const page = await as(browser, 'admin')
  await openUser(page, 'Sample Traveler')
  const main = page.getByRole('main')
  const confirming = (hasText: string) => main.getByRole('status').filter({ hasText })
  await main.getByText('Suspend', { exact: true }).first().click()
  await main.getByRole('button', { name: 'Suspend' }).click()
  await expect(main.getByText('This field is required')).toBeVisible()
  await main.getByLabel('Reason', { exact: true }).fill('Two accounts')
  await main.getByRole('button', { name: 'Suspend' }).click()
  await confirming('Suspend Sample Traveler?').getByRole('button', { name: 'Suspend' }).click()
  await expect(main.getByText('Account suspended. We signed the person out and notified them.')).toBeVisible()
  expect(await whoAmI(traveler)).toBe(401)
  const again = await traveler.request.post(`${portal().url}/api/auth/login`, {
    data: { email: 'traveler@sample.invalid', password: PASSWORD },
  })
  expect(again.status()).toBe(403)
  await main.getByRole('button', { name: 'Reactivate' }).click()
  await confirming('Reactivate Sample Traveler?').getByRole('button', { name: 'Reactivate' }).click()
  await expect(main.getByText('The account is active.')).toBeVisible()
  await signIn(traveler, 'traveler@sample.invalid')
  expect(await whoAmI(traveler)).toBe('traveler')
})

test('the last administrator stays: their own account has no such forms, and the server rejects the request', async ({
  browser,
}) => {
  const page = await as(browser, 'admin')
  await openUser(page, 'Sample Admin')
  const main = page.getByRole('main')
  await expect(main.getByText('This is your own account.')).toBeVisible()
  await expect(main.getByText('Change role')).toHaveCount(0)
  await expect(main.getByText('Suspend', { exact: true })).toHaveCount(0)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const answer = await page.request.post(`${portal().url}/api/admin-operations/users/${id}/role`, {
    data: { role: 'member' },
  })
  expect(answer.status()).toBe(409)
})

test('without scripts, a role is changed in the same two steps', async ({ browser }) => {
  const page = await as(browser, 'admin', { javaScriptEnabled: false })
  await page.goto('/admin/users?search=Sample+PDOS')
  await page.getByRole('link', { name: 'Sample PDOS Coordinator' }).click()
  await page.getByText('Change role', { exact: true }).first().click()
  await page.getByLabel('Role', { exact: true }).last().selectOption('local_servant')
  await page.getByRole('checkbox', { name: 'Philippines' }).uncheck()
  await page.getByLabel('Countries', { exact: true }).selectOption(['Japan', 'Qatar'])
  await page.getByRole('button', { name: 'Review change…' }).click()
  await expect(page.getByText('Applies to: Japan, Qatar.')).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('Change role', { exact: true }).first().click()
  await page.getByLabel('Role', { exact: true }).last().selectOption('member')
  await page.getByRole('checkbox', { name: 'Philippines' }).uncheck()
  await page.getByRole('button', { name: 'Review change…' }).click()
  await page.getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('Role changed. We notified the person.')).toBeVisible()
})

test('an administrator writes to a user from the user page; a coordinator cannot write to a user out of scope', async ({
  browser,
}) => {
  const admin = await as(browser, 'admin')
  await openUser(admin, 'Sample Traveler')
  await admin.getByRole('link', { name: 'Write message to Sample Traveler' }).click()
  await expect(admin.getByRole('heading', { name: 'New message', level: 1 })).toBeVisible()
  await expect(admin.getByLabel('Sample Traveler')).toBeChecked()
  await expect(admin.getByRole('button', { name: 'Send to 1 person…' })).toBeVisible()
  await openUser(admin, 'Sample Admin')
  await expect(admin.getByRole('link', { name: /^Write message to/ })).toHaveCount(0)
  const id = new URL(admin.url()).pathname.split('/').at(-1)
  const mfa = await as(browser, 'mfa')
  await open(mfa, `/admin/notifications/new?to=${id}`)
  await expect(mfa.getByText('You cannot write to this person')).toBeVisible()
  await expect(mfa.getByText('Sample Admin')).toHaveCount(0)
  await expect(mfa.locator('input[name=found]')).toHaveCount(0)
})

test('an account is created for another user and appears in the list', async ({ browser }) => {
  const page = await as(browser, 'admin')
  await open(page, '/admin/users')
  await page.getByRole('link', { name: 'New account', exact: true }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('First name').fill('مريم')
  await drawer.getByLabel('Last name').fill('الخطيب')
  await drawer.getByLabel('Email').fill('mariam@example')
  await drawer.getByRole('button', { name: 'Create account' }).click()
  await expect(drawer.getByLabel('Email')).toBeFocused()
  await expect(drawer.getByLabel('First name')).toHaveValue('مريم')
  await drawer.getByLabel('Email').fill('mariam@example.org')
  await drawer.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Account created. We emailed a link to choose a password.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'مريم الخطيب', level: 1 })).toBeVisible()
})

test('a setting takes effect at once, shows who changed it, and returns to its default', async ({ browser }) => {
  const page = await as(browser, 'admin')
  await open(page, '/admin/settings/advisories')
  const days = page.getByRole('textbox', { name: 'Days to keep an advisory' })
  await days.fill('many')
  await expect(page.getByRole('button', { name: 'Save 1 change' })).toBeVisible()
  await days.press('Enter')
  await expect(page.getByText('Enter a whole number')).toBeVisible()
  await expect(days).toBeFocused()
  await days.fill('21')
  await days.press('Enter')
  await expect(page.getByText('Saved. Takes effect immediately.')).toBeVisible()
  await expect(page.getByText(/^Changed from 7 by Sample Admin/)).toBeVisible()
  await page.getByRole('button', { name: 'Reset to default: Days to keep an advisory' }).click()
  await expect(days).toHaveValue('7')
})

for (const language of LANGUAGES)
  test(`the screens are accessible in ${language}`, async ({ browser }) => {
    const page = await as(browser, 'admin')
    const list = await page.request.get(`${portal().url}/api/admin-operations/users?role=mfa_coordinator`)
    const [{ id }] = ((await list.json()) as { users: [{ id: string }] }).users
    for (const address of [
      '/admin/users',
      '/admin/users?tab=all',
      `/admin/users/${id}`,
      '/admin/users?action=new',
      '/admin/roles',
      '/admin/settings',
      '/admin/data',
    ]) {
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lng=${language}`)
      await isAlive(page)
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('main details, dialog details'))
          details.setAttribute('open', '')
      })
      await expectOpenToAll(page)
    }
    const coordinator = await as(browser, 'mfa')
    await coordinator.goto(`/admin/coordinator?lng=${language}`)
    await expectOpenToAll(coordinator)
  })
