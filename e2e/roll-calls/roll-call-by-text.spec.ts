import { twilioSignature } from '#server/delivery/webhooks/signatures.ts'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { expectNoSidewaysScrolling, LANGUAGES } from '../pages.ts'
import { startPortal } from '../portal.ts'
import { type BrowserContextOptions, expect, type Page, test } from '../test.ts'

// A text reply, from Twilio's webhook until the coordinator has read it.
const TOKEN = 'the auth token of this journey'
const NUMBER = '+639175550101'
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 } }
// Nothing listens on this port: outgoing messages fail, incoming ones are signed.
const PROVIDER = { SMS_URL: 'http://127.0.0.1:9', SMS_ACCOUNT: 'AC1', SMS_TOKEN: TOKEN, SMS_FROM: '+15005550006' }
const { portal, as } = ownPortal('serial', () => startPortal(PROVIDER))
let rollCall: string

let sent = 0
/** Posts a text message as Twilio does; returns the reply. */
async function text(Body: string, { From = NUMBER, token = TOKEN } = {}) {
  const sid = `SM${String(++sent).padStart(32, '0')}`
  const form = {
    ToCountry: 'US',
    ToState: 'NY',
    SmsMessageSid: sid,
    NumMedia: '0',
    ToCity: '',
    FromZip: '',
    SmsSid: sid,
    FromState: '',
    SmsStatus: 'received',
    FromCity: '',
    Body,
    FromCountry: 'PH',
    To: '+15005550006',
    ToZip: '',
    NumSegments: '1',
    MessageSid: sid,
    AccountSid: 'AC1',
    From,
    ApiVersion: '2010-04-01',
  }
  const address = `${portal().url}/api/hooks/sms/sms/inbound`
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': twilioSignature(token, address, form),
    },
    body: new URLSearchParams(form).toString(),
  })
  return { status: response.status, reply: await response.text() }
}
const firstCall = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name }).getByRole('listitem').first()

test('without scripts, a coordinator confirms the recipient count and the channels before anything is sent', async ({
  browser,
}) => {
  const page = await as(browser, 'mfa', { ...PHONE, javaScriptEnabled: false })
  await page.goto('/admin/roll-calls/new')
  await page.getByLabel('What happened').fill('Storm over Manila')
  await page.getByLabel('Recipients', { exact: true }).fill('Philippines')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Send to 7 people…' }).click()
  await expect(page.getByRole('heading', { name: 'Send this roll call to 7 people?' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Email/ })).toContainText('7')
  await expectNoSidewaysScrolling(page)
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByLabel('What happened')).toHaveValue('Storm over Manila')
  await page.getByRole('button', { name: 'Send to 7 people…' }).click()
  // Another user changed the count in the meantime: it is checked again.
  await page.locator('dialog input[name="people"]').evaluate((input) => input.setAttribute('value', '6'))
  await page.getByRole('button', { name: 'Send to 7 people' }).click()
  await expect(page.getByText('The number of people has changed to 7.')).toBeVisible()
  await page.getByRole('button', { name: 'Send to 7 people' }).click()
  await expect(page.getByText('Sending now. This page updates automatically.')).toBeVisible()
  rollCall = new URL(page.url()).pathname.split('/').at(-1)!
})

test('"I am not safe" after "safe" comes first on the pages of the coordinator and of the administrator', async ({
  browser,
}) => {
  const member = await as(browser, 'member')
  const answered = await member.request.put(`${portal().url}/api/account/roll-calls/${rollCall}/answer`, {
    data: { answer: 'safe', phone: '0917 555 0101' },
  })
  expect(answered.status()).toBe(200)
  expect((await text('I am not safe', { token: 'guessed' })).status).toBe(403)
  const { status, reply } = await text('I am not safe')
  expect(status).toBe(200)
  expect(reply).toMatch(
    /<Message>We asked Sample (Coordinator|Servant) to help you\. In danger now\? Call .*\/emergency\/PH<\/Message>/,
  )
  for (const [who, address] of [
    ['mfa', '/admin/coordinator'],
    ['admin', '/admin'],
  ] as const)
    for (const [language, panel, summary, owner] of [
      ['en', /^(Needs you|What waits for you)$/, /Sample Member.* needs help/, /No owner · asked: .*/],
      ['ar', /^(بانتظارك|ما ينتظرك)$/, /Sample Member.*: طلب مساعدة/, /غير مسند · طُلب من: .*/],
    ] as const) {
      const page = await as(browser, who, PHONE)
      await page.goto(`${address}?lng=${language}`)
      const call = firstCall(page, panel)
      await expect(call).toContainText(summary)
      await expect(call).toContainText('I am not safe')
      await expect(call).toContainText(owner)
      // First on the page, and within the first screen of a phone.
      await expect(page.locator('main section').first()).toContainText('I am not safe')
      expect((await call.boundingBox())!.y).toBeLessThan(PHONE.viewport!.height)
      await expectNoSidewaysScrolling(page)
      await page.context().close()
    }
})

test('an unclear text gets a question back and is listed verbatim, and a call outside any roll call opens a case', async ({
  browser,
}) => {
  const page = await as(browser, 'mfa', PHONE)
  await page.goto('/admin/coordinator')
  await firstCall(page, 'What waits for you')
    .getByRole('button', { name: /I’ll handle it/ })
    .click()
  await expect(page.getByText('Assigned to you. We sent the person your name.')).toBeVisible()
  const member = page.getByRole('listitem').filter({ hasText: 'Sample Member' }).first()
  await expect(member.getByRole('list', { name: 'Text messages' })).toContainText('I am not safe')
  await member.getByText('Helped', { exact: true }).click()
  await member.getByRole('button', { name: 'Mark as helped' }).click()
  await expect(page.getByText('Enter what was done')).toBeVisible()
  await member.getByLabel('What was done').fill('Brought to the embassy')
  await member.getByRole('button', { name: 'Mark as helped' }).click()
  await expect(page.getByText('Marked as helped.')).toBeVisible()

  expect((await text('we went to the other side')).reply).toContain('Are you safe? Reply SAFE or HELP.')
  await page.goto(`/admin/roll-calls/${rollCall}`)
  await expect(page.getByRole('region', { name: 'Unclear answers' })).toContainText('we went to the other side')
  expect((await text('please help me', { From: '+63 917 555 0199'.replaceAll(' ', '') })).reply).toMatch(/CASE-/)
  await page.goto('/admin/coordinator')
  await expect(firstCall(page, 'What waits for you')).toContainText(/Someone asks for help.*please help me/)
})

for (const language of LANGUAGES)
  test(`the screens are accessible in ${language}`, async ({ browser }) => {
    test.setTimeout(180_000)
    await text('help', { From: language === 'en' ? '+639175550150' : '+639175550151' })
    const admin = await as(browser, 'admin')
    for (const address of ['/admin', `/admin/roll-calls/${rollCall}`, `/admin/roll-calls/${rollCall}?part=unclear`]) {
      await admin.goto(`${address}${address.includes('?') ? '&' : '?'}lng=${language}`)
      await expectOpenToAll(admin)
    }
    const coordinator = await as(browser, 'mfa')
    await coordinator.goto(`/admin/coordinator?lng=${language}`)
    await expectOpenToAll(coordinator)
    await coordinator.goto(`/admin/roll-calls/new?lng=${language}`)
    await coordinator.locator('input[name="title"]').fill('Fire')
    await coordinator.locator('input[name="add"]').fill(language === 'ar' ? 'الفلبين' : 'Philippines')
    await coordinator.locator('button[value="add"]').click()
    await coordinator.locator('button[value="review"]').click()
    await expect(coordinator.locator('button[value="start"]')).toBeVisible()
    await expectOpenToAll(coordinator)
  })
