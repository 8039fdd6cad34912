import { hashToken } from '#server/accounts/token-hash.ts'
import { type MailPeer, startMailPeer } from '#server/testing/smtp.ts'
import { startTwilioPeer, type TwilioPeer } from '#server/testing/twilio.ts'
import { SAMPLE_PASSWORD, signIn } from '../auth.ts'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { isAlive, LANGUAGES, open } from '../pages.ts'
import { startSeeded } from '../seed.ts'
import { expect, type Page, test } from '../test.ts'

const EMAIL = 'ana@example.org'
const PHONE = '+639175550001'
const STOLEN = 'a-session-that-was-left-open-somewhere'
const PROFILE = '/dashboard/profile/sign-in'

/** The accounts are a month old, and one has a stolen session that started this morning. */
const MONTH_OLD = `
  update auth_users set email = '${EMAIL}' where email = 'traveler@sample.invalid';
  update auth_users set created_at = now() - interval '30 days', email_since = now() - interval '30 days';
  update auth_accounts set since = now() - interval '30 days';
  insert into auth_sessions (id, user_id, token, expires_at, created_at)
    select gen_random_uuid(), id, '${hashToken(STOLEN)}', now() + interval '9 days', now() - interval '3 hours'
    from auth_users where email = '${EMAIL}'`

let mail: MailPeer
let twilio: TwilioPeer
const { portal, visitor } = ownPortal('serial', async () => {
  ;[mail, twilio] = await Promise.all([startMailPeer(), startTwilioPeer()])
  return startSeeded(MONTH_OLD, {
    SMTP_URL: mail.url,
    SMS_URL: twilio.url,
    SMS_ACCOUNT: `AC${'a'.repeat(32)}`,
    SMS_TOKEN: 'auth token',
    SMS_FROM: '+15005550006',
  })
})
test.afterAll(() => Promise.all([mail?.close(), twilio?.close()]))

const sheet = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function newCode(count: number): Promise<string> {
  await expect.poll(() => twilio.texts().length, { timeout: 20_000 }).toBe(count)
  return /\b\d{6}\b/.exec(twilio.texts().at(-1)!.Body!)![0]
}
async function linkIn(what: string): Promise<string> {
  await expect.poll(() => mail.mailsTo(EMAIL).some(({ text }) => text?.includes(what)), { timeout: 20_000 }).toBe(true)
  const { text } = mail.mailsTo(EMAIL).findLast((message) => message.text?.includes(what))!
  return text!.match(/https?:\/\/\S+/g)!.find((link) => link.includes(what))!
}

for (const javaScriptEnabled of [true, false])
  test(`an unattended session cannot change sign-in methods, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
    browser,
  }) => {
    const page = await visitor(browser, { javaScriptEnabled })
    await page.context().addCookies([{ name: 'mfa.session_token', value: `${STOLEN}.x`, url: portal().url }])
    await page.goto(PROFILE)
    if (javaScriptEnabled) await isAlive(page)
    const confirm = sheet(page, 'Confirm that it is you')
    await expect(confirm).toBeVisible()
    await expect(sheet(page, 'Phone number').getByLabel('New number')).toHaveCount(0)
    await confirm.getByLabel('Current password').fill('not the password')
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await expect(confirm.getByLabel('Current password')).toHaveAccessibleDescription(/password is wrong/)
    // Bypasses the form and calls the endpoints.
    const headers = { origin: portal().url }
    const response = await page.request.put('/api/auth/phone', { data: { phone: PHONE }, headers })
    expect(response.status()).toBe(403)
    expect((await page.request.get('/api/account/export')).status()).toBe(403)
    expect(twilio.texts()).toEqual([])
  })

test('takeover by phone: the attacker’s number gives no access, and the owner undoes it with the emailed link', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  // The worst case: the attacker knows the password and adds a phone number at once.
  const thief = await visitor(browser)
  await open(thief, `/login?returnTo=${PROFILE}`)
  await signIn(thief, EMAIL)
  const phone = sheet(thief, 'Phone number')
  await phone.getByLabel('New number').fill(PHONE)
  await phone.getByRole('button', { name: 'Send code' }).click()
  await phone.getByLabel('Code').fill(await newCode(1))
  await phone.getByRole('button', { name: 'Confirm number' }).click()
  await expect(phone.getByText('Phone number confirmed.')).toBeVisible()
  await expect(sheet(thief, 'Recent changes').getByText('Phone number added')).toBeVisible()

  // Later the attacker returns with that number alone.
  const later = await visitor(browser)
  await open(later, `/login/code?returnTo=${PROFILE}`)
  await later.getByLabel('Email address or phone number').fill(PHONE)
  await later.getByRole('button', { name: 'Send a code' }).click()
  await later.getByLabel('Code', { exact: true }).fill(await newCode(2))
  await later.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(sheet(later, 'Confirm that it is you')).toBeVisible()
  await expect(sheet(later, 'Email address').getByLabel('New email address')).toHaveCount(0)
  await open(later, '/dashboard/profile/my-data')
  await expect(later.getByRole('link', { name: 'Download my data' })).toHaveCount(0)
  expect((await later.request.get('/api/account/export')).status()).toBe(403)

  // The owner, who is not signed in anywhere, reads the mail.
  const link = await linkIn('/undo-change/')
  const owner = await visitor(browser)
  for (const language of LANGUAGES) {
    await open(owner, `${link}?lng=${language}`)
    await expect(owner.locator('html')).toHaveAttribute('lang', language)
    await expectOpenToAll(owner)
  }
  await open(owner, `${link}?lng=en`)
  await expect(owner.getByText('Phone number added')).toBeVisible()
  await owner.getByRole('button', { name: 'This was not me: undo the change' }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Your account is restored' })).toBeVisible()
  await expectOpenToAll(owner)

  for (const page of [thief, later]) {
    await page.goto(PROFILE)
    await expect(page).toHaveURL(/\/login/)
  }
  expect(
    (
      await thief.request.post('/api/auth/login', {
        data: { email: EMAIL, password: SAMPLE_PASSWORD },
        headers: { origin: portal().url },
      })
    ).status(),
  ).toBe(401)

  await open(owner, await linkIn('/reset-password'))
  await owner.getByLabel('New password', { exact: true }).fill('eleven quiet harbours')
  await owner.getByLabel('Repeat new password').fill('eleven quiet harbours')
  await owner.locator('main form button[type="submit"]').last().click()
  await expect(owner.getByText('Your password has been changed.')).toBeVisible()
  await open(owner, `${portal().url}/login`)
  await signIn(owner, EMAIL, 'eleven quiet harbours')
  await expect(owner).toHaveURL(/\/dashboard/)
  await open(owner, PROFILE)
  await expect(sheet(owner, 'Phone number').getByText('No number yet.')).toBeVisible()
})

test('without scripts, the link undoes a change as well, and afterwards is reported as used', async ({ browser }) => {
  const page = await visitor(browser, { javaScriptEnabled: false })
  await page.goto(`${portal().url}/login?returnTo=${PROFILE}`)
  await signIn(page, EMAIL, 'eleven quiet harbours')
  const password = sheet(page, 'Password')
  await password.getByLabel('Current password').fill('eleven quiet harbours')
  await password.getByLabel('New password').fill('twelve silent lanterns')
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed. You are signed out on all other devices.')).toBeVisible()
  const before = mail.mailsTo(EMAIL).filter(({ text }) => text?.includes('/undo-change/')).length
  expect(before).toBeGreaterThan(0)
  await expect
    .poll(() => mail.mailsTo(EMAIL).at(-1)?.text ?? '', { timeout: 20_000 })
    .toContain('The password of your account was changed.')
  const link = await linkIn('/undo-change/')
  const owner = await visitor(browser, { javaScriptEnabled: false })
  await owner.goto(link)
  await owner.getByRole('button', { name: 'This was not me: undo the change' }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Your account is restored' })).toBeVisible()
  await owner.goto(link)
  await expect(owner.getByText('This link no longer works')).toBeVisible()
  await expect(owner.getByRole('link', { name: 'Contact support' })).toBeVisible()
})
