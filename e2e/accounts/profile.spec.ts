import { readFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../auth.ts'
import { expectOpenToAll } from '../axe.ts'
import { ownPortal } from '../fixtures.ts'
import { expectNoSidewaysScrolling, isAlive, LANGUAGES, open } from '../pages.ts'
import { freePort, ROOT, startPortal } from '../portal.ts'
import { type Browser, expect, type Page, test } from '../test.ts'

const PASSWORD = 'portal-sample'
const PATHS = ['', '/sign-in', '/sessions', '/preferences', '/my-data'].map((section) => `/dashboard/profile${section}`)

// A passkey is bound to a host name, not to an IP address, so the portal is addressed as localhost.
const { portal } = ownPortal('default', async () => {
  const PORT = String(await freePort())
  const url = `http://localhost:${PORT}`
  return { ...(await startPortal({ PORT, PUBLIC_URL: url })), url }
})

type Who = 'traveler' | 'member' | 'coordinator' | 'servant' | 'pdos' | 'mfa' | 'admin'

/** A browser signed in as one of the sample users. */
async function signedIn(browser: Browser, who: Who, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: portal().url, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  await signIn(page, who)
  return page
}

async function signIn(page: Page, who: Who, password = PASSWORD): Promise<string> {
  const answer = await page.request.post('/api/auth/login', {
    data: { email: `${who}@sample.invalid`, password },
    headers: { origin: portal().url },
  })
  expect(answer.status()).toBe(200)
  return ((await answer.json()) as { next: string }).next
}

const sheet = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('profile changes persist, and the page language follows', async ({ browser }) => {
  const page = await signedIn(browser, 'traveler')
  await open(page, '/dashboard/profile')
  const about = sheet(page, 'Name, language and location')
  await about.getByLabel('First name').fill('María')
  await about.getByLabel('Display name').fill('María T.')
  await about.getByLabel('Where you are now').selectOption('Saudi Arabia')
  await about.getByLabel('Time zone').selectOption('Asia/Riyadh')
  await about.getByRole('button', { name: 'Save' }).click()
  await expect(about.getByRole('status')).toHaveText('Saved.')
  await page.reload()
  await expect(about.getByLabel('First name')).toHaveValue('María')
  await expect(about.getByLabel('Time zone')).toHaveValue('Asia/Riyadh')
  await isAlive(page)
  await about.getByLabel('Language').selectOption('العربية')
  await about.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('heading', { level: 1, name: 'ملفك الشخصي' })).toBeVisible()
  await page.context().close()
})

test('an invalid phone number is reported beside its field, which keeps it and gets the focus', async ({ browser }) => {
  const page = await signedIn(browser, 'member')
  await open(page, '/dashboard/profile')
  const emergency = sheet(page, 'Emergency contact')
  await emergency.getByLabel('Name', { exact: true }).fill('Ben')
  await emergency.getByLabel('Phone').fill('+1 000 000 0000')
  await emergency.getByRole('button', { name: 'Save' }).click()
  const phone = emergency.getByLabel('Phone')
  await expect(phone).toHaveAccessibleDescription(/Invalid phone number format/)
  await expect(phone).toBeFocused()
  await expect(phone).toHaveValue('+1 000 000 0000')
  await expect(emergency.getByLabel('Name', { exact: true })).toHaveValue('Ben')
  await phone.fill('+63 917 123 4567')
  await emergency.getByRole('button', { name: 'Save' }).click()
  await expect(emergency.getByRole('status')).toHaveText('Saved.')
  await page.context().close()
})

test('a conflicting save shows both versions to choose from', async ({ browser }) => {
  const page = await signedIn(browser, 'coordinator')
  await open(page, '/dashboard/profile')
  const second = await page.context().newPage()
  await open(second, '/dashboard/profile')
  const name = (of: Page) => of.getByLabel('Display name')
  const save = (of: Page) => sheet(of, 'Name, language and location').getByRole('button', { name: 'Save' })
  await name(page).fill('Typed here')
  await name(second).fill('Saved there')
  await save(second).click()
  await expect(second.getByText('Saved.')).toBeVisible()
  await save(page).click()
  const row = page.getByRole('row', { name: /Display name/ })
  await expect(row.getByRole('cell')).toHaveText(['Typed here', 'Saved there'])
  await expect(name(page)).toHaveValue('Typed here')
  await save(page).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await second.reload()
  await expect(name(second)).toHaveValue('Typed here')
  await page.context().close()
})

for (const javaScriptEnabled of [true, false])
  test(`countries are added by name and removed, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
    browser,
  }) => {
    const page = await signedIn(browser, 'pdos', { javaScriptEnabled })
    await page.goto('/dashboard/profile')
    if (javaScriptEnabled) await isAlive(page)
    const countries = sheet(page, 'Countries you travel to')
    const add = async (name: string) => {
      await countries.getByLabel('Add a country').fill(name)
      await countries.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await add('Japan')
    await expect(countries.getByRole('link', { name: 'Japan' })).toBeVisible()
    await add('guine')
    await expect(countries.getByText('Which of these do you mean?')).toBeVisible()
    await countries.getByRole('button', { name: 'Guinea-Bissau' }).click()
    await expect(countries.getByRole('link', { name: 'Guinea-Bissau' })).toBeVisible()
    await add('Atlantis')
    await expect(countries.getByText('We do not know this country. Check the spelling.')).toBeVisible()
    await expect(countries.getByLabel('Add a country')).toHaveValue('Atlantis')
    for (const name of ['Japan', 'Guinea-Bissau']) {
      await countries.getByRole('button', { name: `Remove ${name}` }).click()
      await expect(countries.getByRole('link', { name })).toBeHidden()
    }
    await page.context().close()
  })

test('an image becomes the photo; other files are rejected; the photo can be removed', async ({ browser }) => {
  const page = await signedIn(browser, 'member')
  await open(page, '/dashboard/profile')
  const photo = sheet(page, 'Photo')
  const upload = async (name: string, buffer: Buffer) => {
    await photo.getByLabel('Choose a photo').setInputFiles({ name, mimeType: 'image/png', buffer })
    await photo.getByRole('button', { name: 'Upload' }).click()
  }
  await upload('me.png', Buffer.from('<script>alert(1)</script>'))
  await expect(photo.getByLabel('Choose a photo')).toHaveAccessibleDescription(/File type not allowed/)
  await upload('me.png', readFileSync(path.join(ROOT, 'public/social-preview.png')))
  const shown = photo.getByRole('img', { name: 'Your photo' })
  await expect(shown).toBeVisible()
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)

  await page.route('**/api/files/*', (route) => route.abort())
  await page.reload()
  await expect(shown).toHaveAttribute('src', '/favicon.svg')
  await page.route('**/favicon.svg', (route) => route.abort())
  await page.reload()
  await expect(shown).toHaveText('MFA')
  await page.unrouteAll()
  await photo.getByRole('button', { name: 'Remove photo' }).click()
  await expect(photo.getByText('No photo yet.')).toBeVisible()
  await page.context().close()
})

test('ending a session takes effect at once; the current one stays', async ({ browser }) => {
  const [here, there, elsewhere] = [
    await signedIn(browser, 'servant'),
    await signedIn(browser, 'servant'),
    await signedIn(browser, 'servant'),
  ]
  await open(here, '/dashboard/profile/sessions')
  const sessions = here.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(3)
  await expect(sessions.first()).toContainText('This device')
  await expect(sessions.first()).toContainText('Email and password')
  await sessions.last().getByRole('button').click()
  await expect(here.getByText('Session ended.')).toBeVisible()
  await expect(sessions).toHaveCount(2)
  const statuses = async () =>
    Promise.all([there, elsewhere].map(async (page) => (await page.request.get('/api/auth/user')).status()))
  expect((await statuses()).sort()).toEqual([200, 401])
  await here.getByRole('button', { name: 'End the other session' }).click()
  await expect(here.getByText('You are not signed in anywhere else.')).toBeVisible()
  expect(await statuses()).toEqual([401, 401])
  await there.goto('/dashboard/profile')
  expect(new URL(there.url()).pathname).toBe('/login')
  for (const page of [here, there, elsewhere]) await page.context().close()
})

test('with an authenticator set up, a password alone no longer signs in', async ({ browser }) => {
  const page = await signedIn(browser, 'mfa')
  await open(page, '/dashboard/profile/sign-in')
  const twoFactor = sheet(page, 'Two-step sign-in')
  await twoFactor.getByRole('button', { name: 'Set up authenticator app' }).click()
  await expect(twoFactor.getByRole('img', { name: /QR code/ })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoSidewaysScrolling(page)
  const secret = await twoFactor.locator('code').innerText()
  await twoFactor.getByLabel('Code shown in the app').fill('000000')
  await twoFactor.getByRole('button', { name: 'Turn on' }).click()
  await expect(twoFactor.getByRole('alert')).toBeVisible()
  expect(await twoFactor.locator('code').innerText()).toBe(secret)
  await twoFactor.getByLabel('Code shown in the app').fill(codeOf(secret))
  await twoFactor.getByRole('button', { name: 'Turn on' }).click()
  await expect(twoFactor.getByText('Two-step sign-in is now on.')).toBeVisible()
  await expect(page.getByText('MFA', { exact: true })).toBeHidden()

  const again = await (await browser.newContext({ baseURL: portal().url })).newPage()
  expect(await signIn(again, 'mfa')).toBe('/two-step')
  expect((await again.request.get('/api/account/profile')).status()).toBe(401)
  // A code is accepted once. The next one is already valid, to allow for clock differences.
  const answer = await again.request.post('/api/auth/factors/verify', {
    data: { code: codeOf(secret, 1) },
  })
  expect(answer.status()).toBe(200)
  expect((await again.request.get('/api/account/profile')).status()).toBe(200)
  for (const of of [page, again]) await of.context().close()
})

test('a passkey of the device is added, named and removed', async ({ browser }) => {
  const page = await signedIn(browser, 'coordinator')
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await open(page, '/dashboard/profile/sign-in')
  const passkeys = sheet(page, 'Passkeys')
  await passkeys.getByLabel('Device name').fill('My phone')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByText('Passkey added.')).toBeVisible()
  await expect(passkeys.getByRole('listitem')).toContainText('My phone')
  await passkeys.getByRole('button', { name: 'Remove My phone' }).click()
  await expect(passkeys.getByText('No passkeys yet.')).toBeVisible()
  await page.context().close()
})

test('a new password takes effect at once, and a weak one is rejected with the reason', async ({ browser }) => {
  const page = await signedIn(browser, 'servant')
  await open(page, '/dashboard/profile/sign-in')
  const password = sheet(page, 'Password')
  const change = async (to: string) => {
    await password.getByLabel('Current password').fill(PASSWORD)
    await password.getByLabel('New password', { exact: true }).fill(to)
    await password.getByRole('button', { name: 'Change password' }).click()
  }
  await change('iloveyou')
  await expect(password.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /This password is on a list of common or leaked passwords/,
  )
  await change('seven purple lanterns')
  await expect(password.getByText('Password changed. You are signed out on all other devices.')).toBeVisible()
  await signIn(page, 'servant', 'seven purple lanterns')
  await page.context().close()
})

test.describe('the user’s own data', () => {
  test('is downloaded as one file', async ({ browser }) => {
    const page = await signedIn(browser, 'member')
    await open(page, '/dashboard/profile/my-data')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download my data' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/)
    const text = readFileSync(await download.path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ profile: { email: 'member@sample.invalid', role: 'member' } })
    expect(text).not.toContain('argon2')
    await page.context().close()
  })

  // That no table names the user afterwards is tested in server/accounts/own/erasure.test.ts. No later test has this user.
  test('is erased with the account, and sign-in fails', async ({ browser }) => {
    const page = await signedIn(browser, 'traveler', { javaScriptEnabled: false })
    await page.goto('/dashboard/profile/my-data')
    const erase = sheet(page, 'Delete my account')
    await erase.getByLabel('Enter your email address to confirm').fill('member@sample.invalid')
    await erase.getByRole('button', { name: 'Permanently delete my account' }).click()
    await expect(erase.getByText('This is not the email address of your account')).toBeVisible()
    await erase.getByLabel('Enter your email address to confirm').fill('traveler@sample.invalid')
    await erase.getByRole('button', { name: 'Permanently delete my account' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your account is deleted' })).toBeVisible()
    await page.goto('/dashboard/profile')
    expect(new URL(page.url()).pathname).toBe('/login')
    const login = await page.request.post('/api/auth/login', {
      data: { email: 'traveler@sample.invalid', password: PASSWORD },
    })
    expect(login.status()).toBe(401)
    await page.context().close()
  })
})

test('every profile page is accessible, in each language, theme and width', async ({ browser }) => {
  test.setTimeout(400_000)
  const page = await signedIn(browser, 'admin')
  for (const language of LANGUAGES)
    for (const address of PATHS) {
      await open(page, `${address}?lng=${language}`)
      await expectOpenToAll(page)
    }
  await page.context().close()
})
