import { signInAs } from './fixtures.ts'
import { LANGUAGES, open } from './pages.ts'
import { expect, type Page, test } from './test.ts'

/** Answers every dialog with `answer`; returns the types of the dialogs shown. */
function answering(page: Page, answer: { leave: boolean }): string[] {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void (answer.leave ? dialog.accept() : dialog.dismiss())
  })
  return dialogs
}

const FORMS: [what: string, login: string, address: string, field: string][] = [
  ['an announcement', 'mfa', '/admin/notifications/new', 'textarea[name=message_en]'],
  ['a roll call', 'mfa', '/admin/roll-calls/new', 'input[name=title]'],
  ['a church', 'admin', '/admin/locales/new', 'input[name=name]'],
  ['an advisory', 'admin', '/admin/travel-advisories/new', 'input[name=title]'],
  ['a setting', 'admin', '/admin/settings', 'form[data-guarded] input:not([type=hidden]):visible'],
  ['a profile', 'traveler', '/dashboard/profile', 'input[name=display_name]'],
  ['a subscription', 'traveler', '/dashboard/subscriptions/new', 'form[data-guarded] input[type=checkbox]'],
]

for (const [what, login, address, field] of FORMS)
  test(`leaving ${what} with unsent input asks for confirmation`, async ({ page, context, baseURL }) => {
    await signInAs(context, baseURL!, login)
    const answer = { leave: false }
    const dialogs = answering(page, answer)
    await open(page, address)
    const input = page.locator(field).first()
    const isBox = (await input.getAttribute('type')) === 'checkbox'
    const isNumber = (await input.getAttribute('type')) === 'number'
    const type = () => (isBox ? input.click() : input.fill(isNumber ? '77' : 'Not sent yet'))
    await type()
    const away = page
      .locator('a[href="/notifications"]:visible, a[href^="/admin/coordinator"]:visible, a[href="/admin"]:visible')
      .first()
    await away.click()
    await expect.poll(() => dialogs.length).toBe(1)
    expect(new URL(page.url()).pathname).toBe(address)
    if (!isBox) await expect(input).toHaveValue(isNumber ? '77' : 'Not sent yet')
    // Leaving through the browser itself: tab, address bar, reload.
    await page.evaluate(() => setTimeout(() => location.reload()))
    await expect.poll(() => dialogs.length).toBe(2)
    answer.leave = true
    await away.click()
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(address)
    expect([dialogs.length, dialogs[1]]).toEqual([3, 'beforeunload'])
  })

test('a drawer with unsent input stays open until the user confirms, by its close button and by Escape', async ({
  page,
  context,
  baseURL,
}) => {
  await signInAs(context, baseURL!, 'admin')
  const answer = { leave: false }
  const dialogs = answering(page, answer)
  await open(page, '/admin/users?action=new')
  const name = page.locator('dialog input[name=first_name]')
  await name.fill('Mariam')
  await page.locator('dialog').getByRole('link', { name: 'Close' }).click()
  await expect.poll(() => dialogs.length).toBe(1)
  await expect(name).toBeVisible()
  await name.press('Escape')
  await expect.poll(() => dialogs.length).toBe(2)
  await expect(name).toHaveValue('Mariam')
  answer.leave = true
  await name.press('Escape')
  await expect(name).toHaveCount(0)
  expect(dialogs).toEqual(['confirm', 'confirm', 'confirm'])
})

test('no confirmation after saving, for reverted input, or for a search', async ({ page, context, baseURL }) => {
  await signInAs(context, baseURL!, 'member')
  const dialogs = answering(page, { leave: true })
  await open(page, '/dashboard/profile')
  const name = page.locator('input[name=display_name]')
  const was = await name.inputValue()
  await name.fill('Somebody else')
  await name.fill(was)
  await page.locator('a[href="/notifications"]').first().click()
  await expect(page).toHaveURL(/\/notifications/)
  await open(page, '/dashboard/profile')
  await name.fill(`${was} `)
  await name.press('Enter')
  await expect(page).toHaveURL(/done=/)
  await page.locator('a[href="/notifications"]').first().click()
  await expect(page).toHaveURL(/\/notifications/)
  await open(page, '/travel-faq')
  await page.locator('main input[type=search], main input[name=search]').first().fill('passport')
  await page.locator('a[href="/travel-advisories"]').first().click()
  await expect(page).toHaveURL(/\/travel-advisories/)
  expect(dialogs).toEqual([])
})

test('rejected input asks for confirmation too', async ({ page, context, baseURL }) => {
  await signInAs(context, baseURL!, 'admin')
  const dialogs = answering(page, { leave: true })
  await open(page, '/admin/locales/new')
  await page.locator('input[name=city]').fill('Nairobi')
  await page
    .getByRole('button', { name: /Create|Add|Save/ })
    .last()
    .click()
  await expect(page.locator('form[data-unsaved]')).toHaveCount(1)
  await page.locator('a[href="/admin/users"]:visible').first().click()
  await expect(page).toHaveURL(/\/admin\/users/)
  expect(dialogs).toEqual(['confirm'])
})

test.describe('a missing page, without scripts', () => {
  test.use({ javaScriptEnabled: false })

  const MISSING: [login: string, address: string, frame: string][] = [
    ['admin', '/admin/pdos', 'Admin menu'],
    ['mfa', '/admin/inquiries', 'Admin menu'],
    ['servant', '/admin/xyz/1', 'Admin menu'],
  ]
  for (const [login, address, frame] of MISSING)
    test(`${address} is missing and keeps the menu of ${login}`, async ({ page, context, baseURL }) => {
      await signInAs(context, baseURL!, login)
      const answer = await page.goto(address)
      expect(answer!.status()).toBe(404)
      await expect(page.getByRole('navigation', { name: frame })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    })

  test('a missing page of the dashboard keeps its frame in each language', async ({ page, context, baseURL }) => {
    await signInAs(context, baseURL!, 'traveler')
    for (const language of LANGUAGES)
      for (const address of ['/dashboard/pdos', '/notifications/xyz']) {
        const answer = await page.goto(`${address}?lng=${language}`)
        expect(answer!.status()).toBe(404)
        await expect(page.locator('a[href="/notifications"]').first()).toBeVisible()
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      }
  })
})

test('a missing admin URL redirects a traveler to unauthorized, and a visitor to sign-in first', async ({
  context,
  baseURL,
  request,
}) => {
  const nobody = await request.get('/admin/xyz', { maxRedirects: 0 })
  expect(nobody.headers().location).toContain('/login?returnTo=')
  await signInAs(context, baseURL!, 'traveler')
  const response = await context.request.get('/admin/xyz', { maxRedirects: 0 })
  expect(response.headers().location).toBe('/unauthorized')
})
