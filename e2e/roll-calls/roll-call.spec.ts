import { type MailPeer, startMailPeer } from '#server/testing/smtp.ts'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { expectNoSidewaysScrolling, LANGUAGES, open } from '../pages.ts'
import { startPortal } from '../portal.ts'
import { type BrowserContextOptions, expect, type Page, test } from '../test.ts'

// One roll call from question to help: own portal, with a mail server that stores messages.
let mail: MailPeer
const { portal, visitor, as } = ownPortal('serial', async () => {
  mail = await startMailPeer()
  return startPortal({ SMTP_URL: mail.url })
})
/** The page the coordinator has open. */
let list: Page
let rollCall: string
let link: string
test.beforeAll(async ({ browser }) => {
  // One page for all tests.
  list = await as(browser, 'mfa')
})
test.afterAll(() => mail?.close())

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false }

const tile = (name: RegExp) => list.getByRole('list', { name: 'Answers' }).getByRole('link', { name })

test('a coordinator asks from an advisory: title and country are filled in, recipients counted, one tap sends', async () => {
  await open(list, '/admin/coordinator')
  await expect(list.getByRole('region', { name: 'What waits for you' })).not.toContainText('Roll call:')
  await list.getByRole('link', { name: /Ask who is safe.*Haiti/ }).click()
  await expect(list.getByLabel('What happened')).toHaveValue(/Haiti/)
  await expect(list.getByLabel('Haiti')).toBeChecked()
  await expect(list.getByText('No one matches. Remove a filter.').first()).toBeVisible()
  await expect(list.getByRole('button', { name: 'Send…' })).toBeDisabled()
  await list.getByLabel('Recipients', { exact: true }).fill('Philippines')
  await list.getByLabel('Recipients', { exact: true }).press('Enter')
  await expect(list.getByText('7 can be reached', { exact: true })).toBeVisible()
  await expect(list.getByLabel('Philippines')).toBeChecked()
  await list.getByLabel('What happened').fill('Storm over Manila')
  await list.getByLabel('Message').fill('Stay inside until the evening.')
  await list.getByRole('button', { name: 'Send to 7 people…' }).click()
  const dialog = list.getByRole('dialog', { name: 'Send this roll call to 7 people?' })
  await expect(dialog.getByText('You cannot take it back.')).toBeVisible()
  // Up to twenty recipients, Send has the focus.
  await expect(dialog.getByRole('button', { name: 'Send to 7 people' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Send to 7 people' }).dblclick()
  await expect(list.getByText('Sending now. This page updates automatically.')).toBeVisible()
  rollCall = new URL(list.url()).pathname.split('/').at(-1)!
  await expect(tile(/asked/)).toContainText('7')
  await expect(tile(/no answer/)).toContainText('7')
})

test('the emailed link opens a page without scripts; opening it answers nothing, one tap does, and the list updates', async ({
  browser,
}) => {
  const { text, subject } = await mail.mailTo('member@sample.invalid', 20_000)
  expect(subject).toBe('Storm over Manila: are you safe?')
  expect(text).toContain('Stay inside until the evening.')
  link = new URL(/https?:\S+\/answer\/\S+/.exec(text!)![0]).pathname
  // Mail scanners open every link, including the answer links.
  for (const query of ['', '?answer=need_help'])
    expect((await fetch(`${portal().url}${link}${query}`)).status).toBe(200)
  const page = await visitor(browser, PHONE)
  const answer = await page.goto(`${link}?answer=safe`)
  expect(answer!.headers()['cache-control']).toContain('no-store')
  expect(await page.locator('script[src]').count()).toBe(0)
  expect(answer!.headers()['x-robots-tag']).toContain('noindex')
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
  await expectNoSidewaysScrolling(page)
  await expect(tile(/no answer/)).toContainText('7')
  await page.getByRole('button', { name: 'I am safe' }).click()
  await expect(tile(/^1\s*safe/)).toBeVisible()
  await expect(page.getByText('Your answer: I am safe')).toBeVisible()
  // The emergency number of the roll call's country, and instructions.
  await expect(page.locator('a[href="tel:911"]')).toBeVisible()
  await expect(page.getByRole('link', { name: 'What to do in an emergency' })).toHaveAttribute('href', '/emergency/PH')
})

test('the open list follows each answer by itself', async () => {
  for (const [answer, shown] of [
    ['not_there', /^1\s*not there/],
    ['safe', /^1\s*safe/],
    ['not_there', /^1\s*not there/],
  ] as const) {
    const response = await fetch(`${portal().url}/api/roll-call-answers/${link.split('/').at(-1)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ answer }),
    })
    expect(response.status).toBe(200)
    await expect(tile(shown)).toBeVisible()
  }
})

test('a recipient who needs help sees who was notified; the coordinator takes over, and the recipient sees the name', async ({
  browser,
}) => {
  const page = await visitor(browser, PHONE)
  await page.goto(link)
  await page.getByRole('button', { name: 'I need help' }).click()
  // The country's servant is more specific than a coordinator for everywhere.
  await expect(page.getByText(/We asked .?Sample Servant.? to help you/)).toBeVisible()
  await page.getByLabel('Where are you, and what do you need?').fill('Third floor, the water is rising')
  await page.getByLabel('Phone number').fill('+63 917 555 0101')
  await page.getByRole('button', { name: 'Send' }).click()
  const subjects = () => mail.mailsTo('servant@sample.invalid').map(({ subject }) => subject)
  await expect.poll(subjects).toContain('Sample Member needs help')
  const inNeed = list.getByRole('listitem').filter({ hasText: 'Sample Member' })
  await expect(inNeed.getByText('Third floor, the water is rising')).toBeVisible()
  await expect(inNeed.getByRole('link', { name: /Call .*Sample Member/ })).toHaveAttribute('href', 'tel:+639175550101')
  await inNeed.getByRole('button', { name: 'I’ll handle it' }).click()
  await expect(list.getByText('Assigned to you. We sent the person your name.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/Sample Coordinator.? is handling your request/)).toBeVisible()
  // The second to respond sees who was first.
  const admin = await as(browser, 'admin')
  const itemId = await list.getByRole('listitem').filter({ hasText: 'Sample Member' }).getAttribute('id')
  const again = await admin.request.post(
    `${portal().url}/api/roll-calls/${rollCall}/people/${itemId!.replace('p-', '')}/take`,
  )
  expect(await again.json()).toMatchObject({ helper_name: 'Sample Coordinator', is_mine: false })
})

test('the dashboard shows the question first, and accepts the answer without scripts', async ({ browser }) => {
  const page = await as(browser, 'traveler', PHONE)
  await page.goto('/dashboard')
  await page.getByRole('region', { name: 'Storm over Manila' }).getByRole('button', { name: 'I am not there' }).click()
  await expect(page.getByText('Your answer: I am not there')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText('Your answer: I am not there')).toBeVisible()
})

test('a coordinator records an answer by phone, marks a recipient as helped, sends reminders, and closes', async () => {
  const servant = list.getByRole('listitem').filter({ hasText: 'Sample Servant' })
  await servant.getByText('Record answer').click()
  await servant.getByLabel('Answer', { exact: true }).selectOption('safe')
  await servant.getByRole('button', { name: 'Save' }).click()
  await expect(servant.getByText('Enter how you know this')).toBeVisible()
  await servant.getByLabel('How do you know?').fill('Called at noon')
  await servant.getByRole('button', { name: 'Save' }).click()
  await expect(list.getByText('Answer recorded.')).toBeVisible()
  await expect(servant).toContainText('recorded by a coordinator')

  const member = list.getByRole('listitem').filter({ hasText: 'Sample Member' })
  await member.getByText('Helped', { exact: true }).click()
  await member.getByLabel('What was done').fill('Brought to the shelter by boat')
  await member.getByRole('button', { name: 'Mark as helped' }).click()
  await expect(list.getByText('Marked as helped.')).toBeVisible()
  await expect(list.getByText('Nobody needs help now.')).toBeVisible()

  await list.getByRole('button', { name: 'Remind non-responders' }).click()
  await expect(list.getByText('We asked them a moment ago.')).toBeVisible()
  await list.getByRole('link', { name: 'Close' }).click()
  await list.getByRole('button', { name: 'Close roll call' }).click()
  await expect(list.getByText('Roll call closed.')).toBeVisible()
})

test('a user without responsibility there sees none of it', async ({ browser }) => {
  const traveler = await as(browser, 'traveler')
  await traveler.goto(`/admin/roll-calls/${rollCall}`)
  await expect(traveler).toHaveURL(/unauthorized/)
  const forged = await visitor(browser)
  await forged.goto(`${link.slice(0, -3)}abc`)
  await expect(forged.getByText('This link does not work')).toBeVisible()
})

for (const language of LANGUAGES)
  test(`the screens are accessible in ${language}`, async ({ browser }) => {
    test.setTimeout(180_000)
    const admin = await as(browser, 'admin')
    const data = { title: 'Fire in the harbour', countries: ['PH'], people: 7 }
    const { id } = (await (await admin.request.post(`${portal().url}/api/roll-calls`, { data })).json()) as {
      id: string
    }
    const member = await as(browser, 'member')
    const look = async (page: Page, address: string) => {
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lng=${language}`)
      await expectOpenToAll(page)
    }
    await look(member, '/dashboard')
    await member.request.put(`${portal().url}/api/account/roll-calls/${id}/answer`, { data: { answer: 'need_help' } })
    await look(member, `/dashboard/roll-calls/${id}`)
    await look(member, link)
    await look(admin, '/admin')
    for (const end of ['', '/new', `/${id}`, `/${id}?group=chapter`, `/${id}?action=close`])
      await look(admin, `/admin/roll-calls${end}`)
    await admin.request.post(`${portal().url}/api/roll-calls/${id}/close`)
  })
