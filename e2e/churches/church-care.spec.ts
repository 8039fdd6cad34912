import { expectOpenToAll } from '../axe.ts'
import { sharedPortal } from '../fixtures.ts'
import { aChurch, LANGUAGES, open } from '../pages.ts'
import { expect, test } from '../test.ts'

const { portal, visitor, as } = sharedPortal('serial')
/** The sample locale assigned to the demo servant. */
let church: string
test.beforeAll(async () => {
  church = (await aChurch(portal().url)).id
})

/** The latest mail from a template, as shown by this machine's open outbox. */
async function mail(template: string) {
  const read = async (address: string) => (await fetch(`${portal().url}/api/public/outbox${address}`)).json()
  const { messages } = (await read('')) as { messages: { id: string; template: string }[] }
  const found = messages.find((message) => message.template === template)
  return found && ((await read(`/${found.id}`)) as { body_text: string; recipient: string })
}

test('without scripts, a visitor writes to a church: invalid input stays in the form, then it arrives', async ({
  browser,
}) => {
  const page = await visitor(browser, { javaScriptEnabled: false })
  await page.goto(`/church-locator/${church}/write`)
  await page.getByLabel('Your name').fill('Maria Santos')
  await page.getByLabel('Your email or phone').fill('maria at example')
  await page.getByLabel('Your message').fill('Is there a service in English?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Enter an email address or a phone number')).toBeVisible()
  await expect(page.getByLabel('Your message')).toHaveValue('Is there a service in English?')
  await page.getByLabel('Your email or phone').fill('maria@example.org')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('We received your message.')).toBeVisible()
  await expect.poll(() => mail('locale-question')).toMatchObject({ recipient: 'servant@sample.invalid' })
  expect((await mail('locale-question'))!.body_text).toContain('Is there a service in English?')
})

test('an arrival needs a date, and a question does not', async ({ browser }) => {
  const page = await visitor(browser)
  await open(page, `/church-locator/${church}/write?kind=arrival`)
  const day = page.getByLabel('Day you arrive')
  await expect(day).toBeVisible()
  await page.getByLabel('I have a question').check()
  await expect(day).toBeHidden()
  await page.getByLabel('I plan to visit and would like to meet someone').check()
  await page.getByLabel('Your name').fill('Ben')
  await page.getByLabel('Your email or phone').fill('+63 917 123 4567')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(day).toBeFocused()
  await day.fill(new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10))
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('We received your message.')).toBeVisible()
})

test('a visitor proposes a correction; the servant compares old and new, applies it, and the page follows', async ({
  browser,
}) => {
  const page = await visitor(browser)
  await open(page, `/church-locator/${church}/correct`)
  await page.getByLabel('Phone', { exact: true }).fill('+81 3 5555 0000')
  await page.getByLabel('Anything else').fill('The old number rings nobody.')
  await page.getByRole('button', { name: 'Send correction' }).click()
  await expect(page.getByText('We received your correction.')).toBeVisible()
  const servant = await as(browser, 'servant')
  await open(servant, '/admin/coordinator')
  await servant.getByRole('link', { name: '1 church correction to review', exact: true }).click()
  await expect(servant.getByText('The old number rings nobody.')).toBeVisible()
  await expect(servant.getByRole('row', { name: /Phone/ })).toContainText('+81 3 5555 0000')
  await servant.getByRole('button', { name: 'Apply correction' }).click()
  await expect(servant.getByText('Correction applied.')).toBeVisible()
  const { locale } = await (await fetch(`${portal().url}/api/public/locales/${church}`)).json()
  expect(locale.phone).toBe('+81 3 5555 0000')
})

test('the servant answers, closes and reopens the church, and changes a service', async ({ browser }) => {
  const page = await as(browser, 'servant')
  await open(page, '/admin/my-churches')
  await page.getByRole('link', { name: 'Sample Locale Shinjuku' }).click()
  await expect(page.getByText('Is there a service in English?')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as answered' }).first().click()
  await expect(page.getByText('Marked as answered.')).toBeVisible()
  await expect(page.getByText('Is there a service in English?')).toBeHidden()

  await page.getByLabel('Reason shown to visitors').fill('The hall is being painted')
  await page.getByRole('button', { name: 'Mark as closed' }).click()
  await expect(page.getByText('Marked as closed. Visitors see it immediately.')).toBeVisible()
  const publicly = async () => (await (await fetch(`${portal().url}/api/public/locales/${church}`)).json()).locale
  expect(await publicly()).toMatchObject({ closed_reason: 'The hall is being painted' })
  await page.getByRole('button', { name: 'Mark as open' }).click()
  await expect(page.getByText('Marked as open. Visitors see it immediately.')).toBeVisible()
  expect(await publicly()).toMatchObject({ closed_since: null })

  const another = page.getByRole('group', { name: 'Add a service' })
  await another.getByText('Repeat rule, dates, language, online').click()
  await another.getByLabel('Starts').fill('08:00')
  await another.getByLabel('Day', { exact: true }).selectOption({ label: 'Repeat rule' })
  await another.getByLabel('Repeat rule, if not weekly').fill('FREQ=HOURLY')
  await another.getByLabel('First date').fill('2026-01-01')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText('A service can repeat daily, weekly, monthly or yearly')).toBeVisible()
  await another.getByLabel('Repeat rule, if not weekly').fill('FREQ=MONTHLY;BYDAY=1SU')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText('Services and phone number saved.')).toBeVisible()
  const calendar = await (await fetch(`${portal().url}/church-locator/${church}/services.ics`)).text()
  expect(calendar).toContain('RRULE:FREQ=MONTHLY;BYDAY=1SU')
})

test('one tap on the emailed link shows what is published, and confirms it without sign-in or scripts', async ({
  browser,
}) => {
  const coordinator = await as(browser, 'mfa')
  await open(coordinator, `/admin/my-churches/${church}`)
  await coordinator.getByRole('button', { name: 'Ask its servants to confirm' }).click()
  await expect(coordinator.getByText('We emailed the servants of this church.')).toBeVisible()
  const { body_text } = (await mail('locale-confirm'))!
  const link = new URL(/https?:\S+\/church-locator\/confirm\/\S+/.exec(body_text)![0]).pathname
  const page = await visitor(browser, { javaScriptEnabled: false })
  await page.goto(link)
  await expect(page.getByText('0-0-0 Nishi-Shinjuku')).toBeVisible()
  await page.getByRole('button', { name: 'Confirm details' }).click()
  await expect(page.getByText('Sample Locale Shinjuku is confirmed.')).toBeVisible()
  const { locale } = await (await fetch(`${portal().url}/api/public/locales/${church}`)).json()
  expect(Date.now() - Date.parse(locale.confirmed_at)).toBeLessThan(60_000)
  await page.goto(`${link.slice(0, -3)}abc`)
  await expect(page.getByText('This link does not work')).toBeVisible()
})

test('an administrator has the same queues, and a traveler is refused', async ({ browser }) => {
  const admin = await as(browser, 'admin')
  await open(admin, '/admin')
  await expect(admin.getByRole('link', { name: 'Church messages' })).toBeVisible()
  await open(admin, '/admin/my-churches?tab=messages')
  await expect(admin.getByText('+63 917 123 4567')).toBeVisible()
  const traveler = await as(browser, 'traveler')
  await traveler.goto('/admin/my-churches')
  await expect(traveler).toHaveURL(/unauthorized/)
})

for (const language of LANGUAGES)
  test(`the screens are accessible in ${language}`, async ({ browser }) => {
    test.setTimeout(180_000)
    await fetch(`${portal().url}/api/public/locales/${church}/corrections`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'moved', proposed: { address_line1: '2-1-1 Yoyogi' }, message: 'They moved.' }),
    })
    const page = await as(browser, 'servant')
    for (const address of [
      `/church-locator/${church}/write?kind=arrival`,
      `/church-locator/${church}/correct`,
      '/church-locator/confirm/abc',
      '/admin/my-churches',
      '/admin/my-churches?tab=messages',
      '/admin/my-churches?tab=corrections',
      `/admin/my-churches/${church}`,
    ]) {
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lng=${language}`)
      await expectOpenToAll(page)
    }
  })
